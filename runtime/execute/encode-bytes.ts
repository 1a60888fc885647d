/** Encodes `data` from rows as bytes, without decoding them. */
import type { ByteRow } from "../databases/sources/source.ts";
import type { Plan, PlanPart } from "../model/planner/plan.ts";
import { JoinedBytes } from "../values/joined-bytes.ts";
import { ReleasableBytes } from "../values/releasable-bytes.ts";

/** JSON text, or the column that contains it. */
export type BytePart = string | { readonly statement: number; readonly column: number };

/**
 * Returns the JSON of `data` as texts and columns; `undefined` if a stage looks into a value: joins, protected ids,
 * lists merged from several columns, and values that are not of a database.
 */
export function bytePartsOf({ parts, joins }: Plan): readonly BytePart[] | undefined {
  if (joins !== undefined) return undefined;
  const found: BytePart[] = [];
  return addObject(parts, found) ? found : undefined;
}

/** Adds the parts of an object. Returns false if a value cannot be sent as it is. */
function addObject(parts: readonly PlanPart[], to: BytePart[]): boolean {
  addText("{", to);
  for (const [i, part] of parts.entries()) {
    // GraphQL names need no escaping.
    addText(`${i === 0 ? "" : ","}"${part.key}":`, to);
    if (part.kind === "json") addText(part.json, to);
    else if (part.kind === "object") {
      if (!addObject(part.parts, to)) return false;
    } else if (part.kind === "column" && part.protect === undefined && part.joins === undefined) {
      to.push({ statement: part.statement, column: part.column });
    } else {
      return false;
    }
  }
  addText("}", to);
  return true;
}

function addText(text: string, to: BytePart[]): void {
  const last = to.at(-1);
  if (typeof last === "string") to[to.length - 1] = last + text;
  else to.push(text);
}

/** @param rows the single row of each statement; `undefined` if there is none */
export function encodeBytes(parts: readonly BytePart[], rows: readonly (ByteRow | undefined)[]): string | JoinedBytes {
  const pieces = parts.map((part) =>
    typeof part === "string" ? part : (rows[part.statement]?.values[part.column] ?? "null"),
  );
  const [only] = rows;
  return encodeParts(pieces, rows.length === 1 ? (only?.memory ?? []) : rows.flatMap((row) => row?.memory ?? []));
}

/** Length in characters. Longer texts are encoded: copying them costs more than sending them in slices. */
const maxPlainText = 1024 * 1024;

/**
 * Joins the pieces of a text. A text without bytes stays a string, which costs less, unless it is long.
 * @param memory memory of the pieces
 */
export function encodeParts(
  pieces: readonly (string | Buffer)[],
  memory: readonly ReleasableBytes[],
): string | JoinedBytes {
  if (!pieces.every((piece) => typeof piece === "string")) return new JoinedBytes(pieces, memory);
  if (pieces.every(({ length }) => length < maxPlainText)) return pieces.join("");
  const encoded = pieces.map((text) => ReleasableBytes.from(text, Buffer.byteLength(text)));
  return new JoinedBytes(
    encoded.map(({ bytes }) => bytes),
    encoded,
  );
}

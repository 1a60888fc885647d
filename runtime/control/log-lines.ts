/** `get_log_lines`: filters and pages of the last lines of the log. */
import type { Json, JsonObject } from "../../compiler/catalog/model.ts";
import { configurableLogTypes, internalLogTypes, type LogType } from "../config/log-types.ts";
import type { NumberedLine, RecentLines } from "../observe/logs/recent-lines.ts";
import { EngineError } from "../values/errors.ts";
import { isObject } from "../values/is-object.ts";
import { parseJson } from "../values/json/parse.ts";
import { didYouMean } from "../values/nearest-name.ts";
import { randomHex } from "../values/random-hex.ts";
import type { IoCallOf } from "./io-handlers.ts";

type Call = IoCallOf<"get_log_lines">;

/** Levels by severity. */
const levels = ["debug", "info", "warn", "error", "critical"];

const types: ReadonlySet<string> = new Set<LogType>([...configurableLogTypes, ...internalLogTypes]);

/** Identifies this process in cursors, because each process has its own lines. */
const processId = randomHex(4);

const noLines = { first: 0, next: 0 };

export function getLogLines({ input, path }: Call, recent: RecentLines | undefined): Json {
  for (const [at, type] of (input.types ?? []).entries()) {
    if (types.has(type)) continue;
    const hint = (): string | undefined => didYouMean(type, types);
    throw new EngineError("not-exists", `${path}.types[${at}]`, `no log type "${type}" exists`, { hint });
  }
  const { first, next } = recent ?? noLines;
  const after = numberOf(input.after, next);
  const start = after === undefined ? first : Math.max(first, after + 1);
  const found: JsonObject[] = [];
  const isNewest = after === undefined;
  let [number, end] = isNewest ? [next - 1, first - 1] : [start, next];
  for (; recent !== undefined && number !== end && found.length < input.limit; number += isNewest ? -1 : 1) {
    const line = recent.line(number);
    if (!hasText(line, input.text)) continue;
    const entry = entryOf(line);
    if (matches(entry, input)) found.push({ id: `${processId}-${number}`, ...entry });
  }
  const last = isNewest ? next - 1 : number - 1;
  return {
    lines: isNewest ? found.reverse() : found,
    cursor: `${processId}-${last}`,
    has_more: !isNewest && number < next,
    missed: after === undefined ? 0 : start - after - 1,
  };
}

/**
 * Returns the number of the last line before a cursor. Cursors of other processes are ignored: `undefined`, as without
 * a cursor.
 * @param next number of the next line
 */
function numberOf(cursor: string | undefined, next: number): number | undefined {
  const [, id, digits] = /^([0-9a-f]+)-(-1|\d{1,15})$/.exec(cursor ?? "") ?? [];
  const number = Number(digits);
  return id === processId && number < next ? number : undefined;
}

/** Parses a line. A line that was cut or is no valid request JSON is a text, with the members before its detail. */
function entryOf({ text, isCut }: NumberedLine): JsonObject {
  if (!isCut) {
    try {
      return parseJson(text) as JsonObject;
    } catch {
      // Details come from clients and other servers: depth, keys and digits may exceed the limits of responses.
    }
  }
  const [, head] = /^(\{"level":"[^"]*"(?:,"(?:timestamp|worker|type)":(?:"[^"]*"|\d+))*)/.exec(text) ?? [];
  return { ...(head === undefined ? {} : (parseJson(`${head}}`) as JsonObject)), text };
}

const hasText = ({ text }: NumberedLine, part: string | undefined): boolean =>
  part === undefined || text.toLowerCase().includes(part.toLowerCase());

function matches(line: JsonObject, { level, types: wanted, role }: Call["input"]): boolean {
  if (level !== undefined && levels.indexOf(String(line.level)) < levels.indexOf(level)) return false;
  if (wanted !== undefined && !wanted.includes(String(line.type))) return false;
  if (role !== undefined && roleOf(line.detail) !== role) return false;
  return !isOwn(line);
}

/** Returns the role of a request in the lines `http-log` and `websocket-log`. */
function roleOf(detail: unknown): unknown {
  if (!isObject(detail)) return undefined;
  const { operation, user_vars: own } = detail;
  const variables = isObject(operation) ? operation.user_vars : own;
  return isObject(variables) ? variables["x-engine-role"] : undefined;
}

/** Returns whether the line is about a request of this operation, which would otherwise fill the log it shows. */
function isOwn({ type, detail }: JsonObject): boolean {
  if (type !== "http-log" || !isObject(detail) || !isObject(detail.operation)) return false;
  const { query } = detail.operation;
  return isObject(query) && query.type === "get_log_lines" && detail.operation.error === null;
}

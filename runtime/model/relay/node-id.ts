/**
 * Global ids: base64 of `[1, "<schema>", "<table>", <key>, …]`, encrypted together with the name of the source if the
 * role may not read the whole key. An id in a variable determines the table of a plan; its key values are parameters.
 */

import { encounteredJson, kindOfValue } from "../../values/describe-json.ts";
import { EngineError, invariant } from "../../values/errors.ts";
import { isJsonNumber, numberText, stringifyJson } from "../../values/json-number.ts";
import type { Column } from "../definitions/column.ts";
import type { RelayDialect } from "../definitions/dialect.ts";
import type { Encode } from "../definitions/parameters.ts";
import type { TablesByName } from "../definitions/roots.ts";
import { hasHiddenKey, type TableView } from "../definitions/view.ts";
import { notEncrypted, type RelayTexts } from "./relay-texts.ts";

export interface NodeId {
  /** Set for encrypted ids. */
  readonly source?: string;
  readonly schema: string;
  readonly table: string;
  /** Key values in the order of the primary key. */
  readonly key: readonly unknown[];
}

/** Version number at the start of an id. */
export const nodeIdVersion = 1;

/** Encryption purpose of ids. */
export const nodeIdUse = "id";

/**
 * Returns the plaintext of an encrypted id.
 * @param plain JSON text of the id
 */
export function sealedContents(source: string, plain: string): string {
  return `[${JSON.stringify(source)},${plain}]`;
}

function invalid(path: string, problem: string): EngineError {
  return new EngineError("validation-failed", path, `invalid node id: ${problem}`);
}

const malformed = (path: string, problem: string): EngineError => invalid(path, `Error in $: ${problem}`);

/**
 * Reads an id.
 * @param literal true if the id is a literal in the document
 * @throws EngineError `validation-failed` at `path`
 */
export function decodeNodeId(value: unknown, texts: RelayTexts, path: string, literal = false): NodeId {
  if (typeof value !== "string" && !(isJsonNumber(value) && /^-?\d+$/.test(numberText(value)))) {
    const found = kindOfValue(value, literal);
    const message = `expected a String or a 32-bit integer for type 'ID', but found ${found}`;
    throw new EngineError("validation-failed", path, message);
  }
  const decoded = texts.decode(typeof value === "string" ? value : numberText(value));
  if ("refused" in decoded) throw invalid(path, decoded.refused);
  if ("bytes" in decoded) {
    throw malformed(path, `Failed reading: not a valid json value at '${decoded.bytes.toString("latin1")}'`);
  }
  if (!decoded.isEncrypted) return readParts(decoded.value, path);
  const [source, parts] = Array.isArray(decoded.value) ? decoded.value : [];
  invariant(typeof source === "string", "encrypted ids contain their source");
  return { source, ...readParts(parts, path) };
}

function readParts(parts: unknown, path: string): NodeId {
  if (!Array.isArray(parts)) {
    throw malformed(path, `parsing node id failed, expected Array, but encountered ${encounteredJson(parts)}`);
  }
  if (parts.length === 0) throw malformed(path, "unexpected GUID format, found empty list");
  const [given, schema, table, ...key]: unknown[] = parts;
  if (!isJsonNumber(given)) throw malformed(path, "unexpected GUID format, needs to start with a version number");
  if (Number(numberText(given)) !== nodeIdVersion) {
    throw malformed(path, `unsupported GUID version: ${versionText(Number(numberText(given)))}`);
  }
  if (typeof schema !== "string" || typeof table !== "string" || key.length === 0) {
    throw malformed(path, "GUID version 1: expecting schema name, table name and at least one column value");
  }
  return { schema, table, key };
}

/** Formats a version with a decimal place. */
function versionText(given: number): string {
  return Number.isInteger(given) && Math.abs(given) < 1e7 ? given.toFixed(1) : String(given);
}

/** Returns the properties of an id that determine the structure of a statement: its table and number of key values. */
export function nodeIdStructure(value: unknown, texts: RelayTexts): string {
  try {
    return structureOf(decodeNodeId(value, texts, "$"));
  } catch (error) {
    if (error instanceof EngineError) return "";
    throw error;
  }
}

const structureOf = ({ source, schema, table, key }: NodeId): string =>
  JSON.stringify([source ?? null, schema, table, key.length]);

/**
 * Returns the role's view of the table of an id.
 * @throws EngineError `validation-failed` at `path`
 */
export function nodeView({ source: sealed, schema, table, key }: NodeId, nodes: TablesByName, path: string): TableView {
  const name = `'${schema}.${table}'`;
  const found = Object.entries(nodes).flatMap(([source, schemas]) => {
    if (sealed !== undefined && sealed !== source) return [];
    const tables = Object.hasOwn(schemas, schema) ? schemas[schema] : undefined;
    const view = tables && Object.hasOwn(tables, table) ? tables[table] : undefined;
    return view ? [{ source, view }] : [];
  });
  const [only, ...others] = found;
  if (!only) throw invalid(path, `no such table found: ${name}`);
  if (others.length > 0) {
    const sources = found.map(({ source }) => `'${source}'`).join(", ");
    const problem = "this V1 node id matches more than one table across different sources";
    throw invalid(path, `${problem}: ${name} exists in sources [${sources}]`);
  }
  const view = only.view();
  // Checked first, because later errors name columns.
  if (sealed === undefined && hasHiddenKey(view)) throw invalid(path, notEncrypted);
  const { primaryKey } = view.table;
  if (key.length < primaryKey.length) {
    const missing = primaryKey.slice(key.length).map(({ field }) => `'${field}'`);
    throw invalid(path, `primary key columns [${missing.join(", ")}] are missing`);
  }
  if (key.length > primaryKey.length) {
    throw invalid(path, `unexpected column values ${stringifyJson(key.slice(primaryKey.length))}`);
  }
  return view;
}

/**
 * Returns an encoder for one key value of an id.
 * @param planned id that the plan was made for; other ids must have the same table, and be encrypted if it is
 * @param fieldPath path of the field that selects the node
 */
export function encodeNodeKey(
  { field, type }: Column,
  index: number,
  { planned, texts }: { readonly planned: NodeId; readonly texts: RelayTexts },
  fieldPath: string,
  { keepsValue }: Pick<RelayDialect, "keepsValue">,
): Encode {
  const structure = structureOf(planned);
  return (value, path, literal) => {
    const id = decodeNodeId(value, texts, path, literal);
    invariant(structureOf(id) === structure, "all ids of a plan have one table");
    const part = id.key[index];
    const refused = (problem: string): EngineError =>
      new EngineError("parse-failed", fieldPath, `value of column '${field}' in node id: ${problem}`);
    if (part === null) throw refused("unexpected null value");
    if (!keepsValue(type)) {
      if (typeof part === "string") return part;
      throw refused(`parsing Text failed, expected String, but encountered ${encounteredJson(part)}`);
    }
    try {
      return type.encode(part, path);
    } catch (error) {
      throw error instanceof EngineError ? refused(error.message) : error;
    }
  };
}

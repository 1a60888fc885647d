/** Imports rows of a file in chunks. A chunk that fails is split until the rows that cause the failure are found. */
import { messageOf } from "../../../../values/message-of.ts";
import { asApiError } from "../../../http/api-error.ts";
import { type ColumnInfo, insertRows, type OnConflict, type TableLocation } from "../../../http/data-api.ts";
import { parseRaw } from "../../../http/json.ts";
import type { Json } from "../../../http/metadata-types.ts";
import { isArrayType, readColumn } from "../typed-value.ts";
import { CsvParser, separatorOf } from "./csv.ts";
import type { FileFormat } from "./export-rows.ts";
import { hasProtection, withoutProtection } from "./formula-text.ts";
import { hasEmptyText } from "./row-values.ts";

/** A record of the file: values by field. Values of CSV are text or null. */
export type FileRecord = ReadonlyMap<string, Json>;

export interface ReadFile {
  readonly format: FileFormat;
  readonly fields: readonly string[];
  readonly records: readonly FileRecord[];
  /** True if values of a CSV file have the apostrophes of `formula-text.ts`. */
  readonly isProtected: boolean;
}

/** Reading pauses after this number of characters, so that the page responds. */
const charactersPerTask = 200_000;

const pause = (): Promise<void> => new Promise((resume) => setTimeout(resume));

/**
 * @param separator of CSV; absent to recognize it, and JSON, by the beginning of the text
 * @throws Error if the text is neither CSV with a header nor a JSON list of objects
 */
export async function readRecords(text: string, separator?: string): Promise<ReadFile> {
  const content = text.replace(/^\uFEFF/, "");
  if (separator === undefined && /^\s*[[{]/.test(content)) return readJson(content);
  const [header = ""] = content.split(/\r?\n/, 1);
  const parser = new CsvParser(separator ?? separatorOf(header));
  const lines: (readonly (string | null)[])[] = [];
  let isProtected = false;
  const add = (line: readonly (string | null)[]): void => {
    lines.push(line);
    isProtected ||= line.some((field) => field !== null && hasProtection(field));
  };
  for (let at = 0; at < content.length; at += charactersPerTask) {
    parser.push(content.slice(at, at + charactersPerTask)).forEach(add);
    await pause();
  }
  const last = parser.end();
  if (last) add(last);
  const fields = (lines[0] ?? []).map((name, index) => name ?? `Field ${index + 1}`);
  if (fields.length === 0) throw new Error("The file is empty.");
  const records = lines
    .slice(1)
    .map((line) => new Map(fields.map((field, index): [string, Json] => [field, line[index] ?? null])));
  return { format: "csv", fields, records, isProtected };
}

/** Returns the column with a name, ignoring case, spaces and punctuation. */
export function columnNamed(field: string, columns: readonly string[]): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[\s_\-.]/g, "");
  return columns.find((name) => name === field) ?? columns.find((name) => plain(name) === plain(field));
}

/**
 * Reads cells that a spreadsheet has put into the clipboard. The first line names the columns if each of its cells is
 * the name of one; otherwise, the cells belong to the columns in their order.
 * @throws Error if there are no cells
 */
export async function readPastedCells(text: string, columns: readonly string[]): Promise<ReadFile> {
  const parser = new CsvParser("\t");
  const [first = []] = parser.push(`${text.slice(0, charactersPerTask)}\n`);
  const hasNames = first.every((cell) => cell !== null && columnNamed(cell, columns) !== undefined);
  if (first.length === 0) throw new Error("The text has no cells.");
  const names = first.map((_, index) => columns[index] ?? `Field ${index + 1}`);
  const file = await readRecords(hasNames ? text : `${names.map(quoted).join("\t")}\n${text}`, "\t");
  // Spreadsheets put no apostrophes before the text of cells.
  return { ...file, isProtected: false };
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function readJson(text: string): ReadFile {
  let found: unknown;
  try {
    found = parseRaw(text);
  } catch {
    throw new Error("The file is not valid JSON.");
  }
  const list: readonly unknown[] = Array.isArray(found) ? found : [found];
  const isObject = (each: unknown): boolean => typeof each === "object" && each !== null && !Array.isArray(each);
  if (!list.every(isObject)) throw new Error("The JSON must be a list of objects.");
  const records = (list as readonly Record<string, Json>[]).map((each) => new Map(Object.entries(each)));
  const fields = [...new Set(records.flatMap((each) => [...each.keys()]))];
  return { format: "json", fields, records, isProtected: false };
}

interface FailedRow {
  /** Position in the file, beginning with 1. */
  readonly position: number;
  readonly reason: string;
}

export interface ImportOptions {
  readonly columns: readonly ColumnInfo[];
  /** Column by field. Other fields are not imported. */
  readonly mapping: ReadonlyMap<string, string>;
  readonly onConflict?: OnConflict;
  /** True to remove the apostrophes before formulas. */
  readonly isProtected: boolean;
  /** True to insert all rows in one transaction. */
  readonly isAtomic: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

export interface ImportResult {
  readonly inserted: number;
  readonly failed: readonly FailedRow[];
}

interface Prepared {
  readonly position: number;
  readonly values: Readonly<Record<string, Json>>;
}

const rowsPerRequest = 500;

/** Inserts the records. Rows that fail are in the result. @throws DOMException if the signal aborts */
export async function importRecords(
  location: TableLocation,
  records: readonly FileRecord[],
  options: ImportOptions,
): Promise<ImportResult> {
  const failed: FailedRow[] = [];
  const rows: Prepared[] = [];
  for (const [index, record] of records.entries()) {
    try {
      rows.push({ position: index + 1, values: valuesOf(record, options) });
    } catch (error) {
      failed.push({ position: index + 1, reason: messageOf(error) });
    }
  }
  if (options.isAtomic && failed.length > 0) return { inserted: 0, failed };
  const size = options.isAtomic ? Math.max(1, rows.length) : rowsPerRequest;
  let inserted = 0;
  const insert = async (chunk: readonly Prepared[]): Promise<void> => {
    options.signal.throwIfAborted();
    const { onConflict, signal } = options;
    try {
      const objects = chunk.map(({ values }) => values);
      const written = await insertRows(location, objects, { signal, ...(onConflict && { onConflict }) });
      inserted += written.affected_rows;
    } catch (thrown) {
      if (options.signal.aborted) throw thrown;
      const { status, path, message } = asApiError(thrown);
      // Without a response, no smaller chunk would succeed.
      if (status === 0) throw thrown;
      const [first] = chunk;
      if (options.isAtomic) {
        const index = Number(/\.objects\[(\d+)\]/.exec(path ?? "")?.[1] ?? -1);
        failed.push({ position: chunk[index]?.position ?? 0, reason: message });
      } else if (chunk.length === 1 && first) failed.push({ position: first.position, reason: message });
      else {
        const half = Math.ceil(chunk.length / 2);
        await insert(chunk.slice(0, half));
        await insert(chunk.slice(half));
      }
    }
  };
  for (let at = 0; at < rows.length; at += size) {
    await insert(rows.slice(at, at + size));
    options.onProgress(Math.min(rows.length, at + size));
  }
  return { inserted, failed: failed.sort((a, b) => a.position - b.position) };
}

/** @throws Error with the column if a text is not a value of it */
function valuesOf(
  record: FileRecord,
  { columns, mapping, isProtected }: ImportOptions,
): Readonly<Record<string, Json>> {
  const values: Record<string, Json> = {};
  for (const [field, name] of mapping) {
    const column = columns.find((each) => each.name === name);
    const value = record.get(field);
    if (!column || value === undefined) continue;
    // A required value that is absent is the default, or the reason why the row fails.
    if (value === null && !column.nullable) continue;
    try {
      const isText = typeof value === "string";
      values[name] = isText ? fromText(isProtected ? withoutProtection(value) : value, column) : value;
    } catch (error) {
      throw new Error(`${name}: ${messageOf(error)}`);
    }
  }
  return values;
}

function fromText(text: string, column: ColumnInfo): Json {
  if (text === "" && !hasEmptyText(column)) return null;
  // Text in a JSON file may be a JSON text itself.
  if (column.value === "json" && !isArrayType(column.type) && !/^[\s[{"\d-]|^(?:true|false|null)/.test(text))
    return text;
  return readColumn(text, column);
}

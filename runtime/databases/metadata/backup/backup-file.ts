/**
 * The file of a backup: lines of JSON. The first is the header, the last has the number of rows and the checksum of all
 * lines before it, and each line between them has a table and a row as PostgreSQL prints it.
 */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import * as z from "zod";
import { EngineError } from "../../../values/errors.ts";
import { messageOf } from "../../../values/message-of.ts";
import { migrations } from "../migrations.ts";
import { backupParts, backupTables } from "./tables.ts";

/** Increased with each incompatible change of the file. */
export const backupFormat = 1;

const header = z.strictObject({
  kind: z.literal("engine-backup"),
  format: z.number().int(),
  catalog_version: z.number().int().min(2),
  engine_version: z.string(),
  created_at: z.string(),
  parts: z.array(z.enum(["metadata", ...backupParts])),
});
const end = z.strictObject({ rows: z.number().int(), sha256: z.string() });

export type BackupHeader = z.infer<typeof header>;

export interface VerifiedBackup {
  readonly file: string;
  readonly header: BackupHeader;
  readonly rows: ReadonlyMap<string, number>;
}

/** Longest line of a file that is not a backup which is read into memory. PostgreSQL has no longer values. */
const maxLine = 1 << 30;

/** Splits a file at line feeds only: rows may contain other separators of lines. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    let start = 0;
    for (;;) {
      const index = (chunk as Buffer).indexOf(10, start);
      if (index === -1) break;
      yield Buffer.concat([...pieces, chunk.subarray(start, index)]);
      pieces = [];
      length = 0;
      start = index + 1;
    }
    length += chunk.length - start;
    if (length > maxLine) throw new EngineError("parse-failed", "$", `${file} is no backup: a line is too long`);
    pieces.push(chunk.subarray(start));
  }
  if (length > 0) yield Buffer.concat(pieces);
}

/** The text before the row of a line. The table is checked against the list of tables. */
const linePrefix = /^\{"table":"([a-z_]{1,63})","row":/;

/** Returns the line of a row. Line feeds in JSON text are insignificant white space. */
export function rowLine(table: string, row: string): string {
  return `{"table":"${table}","row":${row.replace(/[\r\n]+/g, " ")}}\n`;
}

/**
 * Reads the whole file, and checks its format, version, rows and checksum.
 * @throws EngineError that names the file and the fault
 */
export async function verifyBackup(file: string): Promise<VerifiedBackup> {
  const hash = createHash("sha256");
  const rows = new Map<string, number>();
  let found: BackupHeader | undefined;
  let last: z.infer<typeof end> | undefined;
  for await (const line of readLines(file)) {
    if (last !== undefined) throw invalid(file, "it has text after its end");
    if (found === undefined) found = headerOf(file, line);
    else {
      const table = tableOf(line);
      last = table === undefined ? endOf(file, line) : undefined;
      if (table !== undefined) rows.set(table, (rows.get(table) ?? 0) + 1);
    }
    if (last === undefined) hash.update(line).update("\n");
  }
  if (found === undefined || last === undefined) throw invalid(file, "it is incomplete");
  if (hash.digest("hex") !== last.sha256) throw invalid(file, "its checksum differs: it was damaged or edited");
  const total = [...rows.values()].reduce((sum, count) => sum + count, 0);
  if (total !== last.rows) throw invalid(file, `it has ${total} rows instead of ${last.rows}`);
  return { file, header: found, rows };
}

/** Yields the rows of a verified file with their tables, as texts. */
export async function* rowsOf({
  file,
}: VerifiedBackup): AsyncGenerator<{ readonly table: string; readonly row: string }> {
  for await (const line of readLines(file)) {
    const table = tableOf(line);
    if (table !== undefined) yield { table, row: line.subarray(`{"table":"${table}","row":`.length, -1).toString() };
  }
}

async function* readLines(file: string): AsyncGenerator<Buffer> {
  try {
    yield* linesOf(file);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const reason = messageOf(error);
    throw new EngineError("not-found", "$", `cannot read ${file}: ${reason}`, { cause: error });
  }
}

const tables: ReadonlySet<string> = new Set(backupTables.map(({ name }) => name));

/** Returns the table of a row's line; `undefined` for other lines and unknown tables. */
function tableOf(line: Buffer): string | undefined {
  const [, table = ""] = linePrefix.exec(line.subarray(0, 100).toString()) ?? [];
  return tables.has(table) ? table : undefined;
}

function headerOf(file: string, line: Buffer): BackupHeader {
  const read = header.safeParse(parsed(line));
  if (!read.success) throw invalid(file, "its first line is no header of a backup");
  const { format, catalog_version: version, engine_version: engine } = read.data;
  if (format > backupFormat || version > migrations.length) {
    throw new EngineError(
      "not-supported",
      "$",
      `${file} belongs to a newer version of engine (${engine}, format ${format}, catalog version ${version}; this ` +
        `version supports format ${backupFormat} and catalog version ${migrations.length})`,
    );
  }
  return read.data;
}

function endOf(file: string, line: Buffer): z.infer<typeof end> {
  const read = z.strictObject({ end }).safeParse(parsed(line));
  if (!read.success) throw invalid(file, "it has a line that is neither a row of a known table nor the end");
  return read.data.end;
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.subarray(0, 10_000).toString());
  } catch {
    return undefined;
  }
}

function invalid(file: string, reason: string): EngineError {
  return new EngineError("parse-failed", "$", `${file} is no complete backup: ${reason}`);
}

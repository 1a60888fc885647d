/** Writes a backup of the metadata database, as of one moment, while instances run. */

import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type pg from "pg";
import { EngineError } from "../../../values/errors.ts";
import { messageOf } from "../../../values/message-of.ts";
import { openMetadataDatabase, readStoredVersion } from "../open.ts";
import { type BackupHeader, backupFormat, rowLine } from "./backup-file.ts";
import { type BackupPart, tablesWithout } from "./tables.ts";

export interface WriteBackupOptions {
  readonly retries: number;
  readonly file: string;
  readonly without: ReadonlySet<BackupPart>;
  /** Version of the product, for the header. */
  readonly engineVersion: string;
}

/** Rows per statement. */
const batch = 500;

/**
 * Creates or replaces the file, readable by its owner only, because it may contain secrets.
 * @returns the number of rows
 * @throws EngineError if there is no metadata or the file cannot be written; a previous file then remains
 */
export async function writeBackup(url: string, options: WriteBackupOptions): Promise<number> {
  const database = await openMetadataDatabase(url, { retries: options.retries, migrate: false });
  const { file } = options;
  const temporary = join(dirname(file), `.${randomUUID()}.tmp`);
  try {
    const client = await database.connect();
    const output = await open(temporary, "wx", 0o600).catch((error: unknown) => {
      throw unwritable(file, error);
    });
    try {
      await client.query("begin isolation level repeatable read, read only");
      const rows = await writeTables(client, output, options);
      await output.sync();
      await output.close();
      await rename(temporary, file);
      return rows;
    } finally {
      await output.close().catch(() => undefined); // closed already
      await client.end();
    }
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error instanceof Error && "syscall" in error && "path" in error ? unwritable(file, error) : error;
  } finally {
    await database.close();
  }
}

async function writeTables(
  client: pg.Client,
  output: FileHandle,
  { without, engineVersion }: WriteBackupOptions,
): Promise<number> {
  const catalogVersion = await readStoredVersion(client);
  if (catalogVersion < 2) throw new EngineError("not-found", "$", "the database holds no metadata of engine");
  const tables = tablesWithout(without);
  const hash = createHash("sha256");
  const write = async (text: string): Promise<void> => {
    hash.update(text);
    await output.write(text);
  };
  const now = await client.query<{ now: string }>("select to_json(now())::text as now");
  const header: BackupHeader = {
    kind: "engine-backup",
    format: backupFormat,
    catalog_version: catalogVersion,
    engine_version: engineVersion,
    created_at: now.rows[0]?.now.replaceAll('"', "") ?? "",
    parts: [...new Set(tables.map(({ part }) => part))],
  };
  await write(`${JSON.stringify(header)}\n`);
  let rows = 0;
  for (const { name } of tables) {
    const exists = await client.query("select 1 where to_regclass($1) is not null", [`engine_catalog.${name}`]);
    if (exists.rows.length === 0) continue; // older catalog versions have fewer tables
    await client.query(
      `declare backup_rows no scroll cursor for select row_to_json(t)::text as row from engine_catalog.${name} t`,
    );
    for (;;) {
      const found = await client.query<{ row: string }>(`fetch ${batch} from backup_rows`);
      if (found.rows.length === 0) break;
      await write(found.rows.map(({ row }) => rowLine(name, row)).join(""));
      rows += found.rows.length;
    }
    await client.query("close backup_rows");
  }
  await output.write(`${JSON.stringify({ end: { rows, sha256: hash.digest("hex") } })}\n`);
  return rows;
}

function unwritable(file: string, error: unknown): EngineError {
  const reason = messageOf(error);
  return new EngineError("unwritable", "$", `cannot write ${file}: ${reason}`, { cause: error });
}

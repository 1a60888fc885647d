/** Restores a backup into a metadata database, in one transaction, while no instance runs on it. */
import type pg from "pg";
import { EngineError } from "../../../values/errors.ts";
import { refuseWhileAlive } from "../downgrade.ts";
import { migrations } from "../migrations.ts";
import { openMetadataDatabase, readStoredVersion, withMigrationLock } from "../open.ts";
import { rowsOf, type VerifiedBackup, verifyBackup } from "./backup-file.ts";
import { type BackupPart, backupTables, metadataView, tablesWithout, transientTables } from "./tables.ts";

export interface RestoreOptions {
  readonly retries: number;
  readonly without: ReadonlySet<BackupPart>;
  /** Deletes the state in the database first; otherwise a database with state is refused. */
  readonly replace: boolean;
}

export interface Restored {
  readonly backup: VerifiedBackup;
  /** Number of restored rows. */
  readonly rows: number;
}

/** Rows per statement, limited by their size in characters as well. */
const maxRows = 500;
const maxCharacters = 8_000_000;

/**
 * Creates the tables as they were, fills them, and upgrades them to the newest catalog version. The tables of event
 * triggers, if the database is also a source, are left alone.
 * @throws EngineError for an invalid file, before the database is changed; `conflict` for a database with state or
 *   while an instance is running
 */
export async function restoreBackup(
  url: string,
  file: string,
  { retries, without, replace }: RestoreOptions,
): Promise<Restored> {
  const backup = await verifyBackup(file);
  const database = await openMetadataDatabase(url, { retries, migrate: false });
  try {
    return await withMigrationLock(database, async (client) => {
      const stored = await readStoredVersion(client);
      if (stored > 0) {
        if (!replace) {
          throw new EngineError("conflict", "$", "the database holds metadata of engine: pass --replace to delete it");
        }
        await refuseWhileAlive(client, "");
        await dropTables(client);
      }
      await client.query("create schema if not exists engine_catalog");
      for (const step of migrations.slice(0, backup.header.catalog_version)) await client.query(step);
      const rows = await insertRows(client, backup, without);
      await releaseLocks(client);
      for (const step of migrations.slice(backup.header.catalog_version)) await client.query(step);
      await continueNumbers(client);
      await client.query("update engine_catalog.engine_version set version = $1, upgraded_on = now()", [
        String(migrations.length),
      ]);
      return { backup, rows };
    });
  } finally {
    await database.close();
  }
}

async function dropTables(client: pg.Client): Promise<void> {
  const names = [...backupTables.map(({ name }) => name), ...transientTables];
  await client.query(`drop view if exists engine_catalog.${metadataView}`);
  await client.query(`drop table if exists ${names.map((name) => `engine_catalog.${name}`).join(", ")}`);
}

async function insertRows(
  client: pg.Client,
  backup: VerifiedBackup,
  without: ReadonlySet<BackupPart>,
): Promise<number> {
  const wanted = new Set(tablesWithout(without).map(({ name }) => name));
  let inserted = 0;
  let table = "";
  let rows: string[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return;
    const target = `engine_catalog.${table}`;
    const values = [`[${rows.join(",")}]`];
    const { rowCount } = await client.query(
      `insert into ${target} overriding system value select * from json_populate_recordset(null::${target}, $1::json)`,
      values,
    );
    inserted += rowCount ?? 0;
    rows = [];
    characters = 0;
  };
  for await (const each of rowsOf(backup)) {
    if (!wanted.has(each.table)) continue;
    if (each.table !== table || rows.length === maxRows || characters > maxCharacters) await flush();
    table = each.table;
    rows.push(each.row);
    characters += each.row.length;
  }
  await flush();
  return inserted;
}

async function continueNumbers(client: pg.Client): Promise<void> {
  for (const { name, numbered } of backupTables) {
    if (numbered === undefined) continue;
    const table = `engine_catalog.${name}`;
    await client.query(`select setval(pg_get_serial_sequence($1, $2), max(${numbered})) from ${table}`, [
      table,
      numbered,
    ]);
  }
}

/** Releases calls that an instance held at the time of the backup: they are due again, as after its end. */
async function releaseLocks(client: pg.Client): Promise<void> {
  for (const { name, released } of backupTables) {
    if (released === undefined) continue;
    const locks = await client.query(
      `select 1 from information_schema.columns
       where table_schema = 'engine_catalog' and table_name = $1 and column_name = 'locked_by'`,
      [name],
    );
    if (locks.rows.length > 0) await client.query(`update engine_catalog.${name} set ${released}`);
  }
}

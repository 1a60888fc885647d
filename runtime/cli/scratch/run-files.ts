/** Runs SQL files on a scratch database as a server runs migrations: each in its own transaction, unless it states otherwise. */

import type { SourceKind } from "../../../compiler/catalog/model.ts";
import { openMetadataDatabase } from "../../databases/metadata/open.ts";
import { openSource } from "../../databases/sources/open-source.ts";
import type { DatabaseSource } from "../../databases/sources/source.ts";
import { makeNamedTables } from "../../jobs/events/install.ts";
import { locateSqlFailure, needsTransaction, type SqlFile } from "../migrations/sql-failure.ts";

/** @throws EngineError with file, line and column of the failure; earlier files remain applied */
export async function runFiles(url: string, files: readonly SqlFile[]): Promise<void> {
  const connectionInfo = { database_url: url, pool_settings: { max_connections: 1 } };
  const database = openSource({ name: "scratch", kind: scratchKind, connectionInfo }, { variables: {} });
  try {
    for (const file of files) {
      await createEngineTables(url, database, file.sql);
      const run = needsTransaction(file)
        ? database.runSql(file.sql, { readOnly: false })
        : database.runSqlWithoutTransaction(file.sql);
      await run.catch((error: unknown) => {
        throw locateSqlFailure(error, file);
      });
    }
  } finally {
    await database.close();
  }
}

/** Creates the tables of events, schedules and actions that the SQL refers to: a server has them in its databases. */
async function createEngineTables(url: string, database: DatabaseSource, sql: string): Promise<void> {
  await makeNamedTables({ name: "scratch", kind: scratchKind, database }, sql);
  if (!/\bengine_catalog"?\s*\.\s*"?engine_/i.test(sql)) return;
  const metadataDatabase = await openMetadataDatabase(url, { retries: 0 });
  await metadataDatabase.close();
}

/** The only kind of source that can be tested on scratch databases, because the engine includes a PostgreSQL server. */
export const scratchKind: SourceKind = "postgres";

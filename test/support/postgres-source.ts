/** PostgreSQL sources for tests of reading and writing. */
import { afterAll, afterEach, beforeAll } from "vitest";
import type { SourceEnvironment } from "../../runtime/databases/sources/connection-settings.ts";
import type { ConnectionTimes } from "../../runtime/databases/sources/postgres/connection-times.ts";
import { openPostgres, type PostgresEvents } from "../../runtime/databases/sources/postgres/open-postgres.ts";
import {
  type PostgresConnectionInfo,
  resolvePostgresSettings,
} from "../../runtime/databases/sources/postgres/settings.ts";
import type { DatabaseSource, SqlValue } from "../../runtime/databases/sources/source.ts";
import { EngineError } from "../../runtime/values/errors.ts";
import { createDatabase, query, type TestDatabase } from "./database.ts";

export let database: TestDatabase;
let opened: DatabaseSource[] = [];

/** Creates a database for the tests of the calling file, and closes their sources after each test. */
export function useDatabase(): void {
  beforeAll(async () => {
    database = await createDatabase("postgres-source");
  });

  afterEach(closeSources);

  afterAll(async () => {
    await database.drop();
  });
}

/** Closes the sources opened so far. */
export async function closeSources(): Promise<void> {
  await Promise.all(opened.map((source) => source.close()));
  opened = [];
}

export function open(
  info: PostgresConnectionInfo = {},
  events: PostgresEvents = {},
  times: Partial<ConnectionTimes> = {},
  environment: Partial<SourceEnvironment> = {},
): DatabaseSource {
  const settings = resolvePostgresSettings(
    "default",
    { database_url: database.url, ...info },
    { variables: {}, ...environment },
  );
  const source = openPostgres(settings, { events, times });
  opened.push(source);
  return source;
}

/** Opens a source with a single connection, so that a test knows which connection it uses. */
export function openSingle(info: PostgresConnectionInfo = {}): DatabaseSource {
  return open({ pool_settings: { max_connections: 1 }, ...info });
}

export async function one(source: DatabaseSource, text: string, ...values: SqlValue[]): Promise<SqlValue | undefined> {
  const rows = await source.query({ text }, values);
  return rows[0]?.[0];
}

export async function failure(work: Promise<unknown>): Promise<EngineError> {
  const error = await work.then(
    () => new Error("it succeeded"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof EngineError) return error;
  throw error;
}

/** Returns the names of the statements prepared on the source's single connection. */
export async function preparedNames(source: DatabaseSource): Promise<readonly SqlValue[]> {
  const rows = await source.query({ text: "select name from pg_prepared_statements where name <> '' order by 1" }, []);
  return rows.map((row) => row[0] ?? null);
}

export async function terminateAll(): Promise<void> {
  await query(
    database.url,
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
}

/** The metadata database of a server, with the product's tables brought up to date. */
import type pg from "pg";
import { EngineError } from "../../values/errors.ts";
import { redactUrl } from "../sources/connection-settings.ts";
import { MetadataDatabase, type MetadataDatabaseTimes, metadataDatabaseTimes } from "./metadata-database.ts";
import { migrations } from "./migrations.ts";

/** Serialises migrations of several instances that start at once. */
const migrationLock = 7_242_341;

export interface MetadataDatabaseOptions {
  /** How often to try again to connect. */
  readonly retries: number;
  /** `false`: the tables stay as another version of the engine has them (maintenance mode). */
  readonly migrate?: boolean;
  readonly times?: Partial<MetadataDatabaseTimes>;
  /** Told which catalog version there was, and which there is; not where the tables stay as they are. */
  readonly onMigrated?: (from: number, to: number) => void;
}

/**
 * Connects and brings the tables up to date.
 * @throws EngineError `start-failed` naming the host, with the password hidden
 */
export async function openMetadataDatabase(
  url: string,
  { retries, migrate: mayMigrate = true, times, onMigrated }: MetadataDatabaseOptions,
): Promise<MetadataDatabase> {
  const database = new MetadataDatabase(url, { ...metadataDatabaseTimes, ...times });
  try {
    await connectWithRetries(database, retries);
    if (mayMigrate) {
      const from = await withMigrationLock(database, bringUpToDate);
      onMigrated?.(from, migrations.length);
    }
    return database;
  } catch (error) {
    await database.close();
    if (error instanceof EngineError && error.code === "start-failed") throw error;
    throw unreachable(url, error instanceof EngineError ? (error.cause ?? error) : error);
  }
}

function unreachable(url: string, error: unknown): EngineError {
  const reason =
    error instanceof AggregateError ? error.errors.map(String).join("; ") : String((error as Error).message);
  const message = `the metadata database ${redactUrl(url)} cannot be used: ${reason}`;
  return new EngineError("start-failed", "$", message, { status: 500, cause: error });
}

async function connectWithRetries(database: MetadataDatabase, retries: number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await database.query("select 1");
      return;
    } catch (error) {
      if (attempt >= retries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

/** One transaction. Takes as long as it takes: another instance may migrate, and this one waits for it. */
export async function withMigrationLock<T>(
  database: MetadataDatabase,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await database.connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock($1)", [migrationLock]);
    const result = await work(client);
    await client.query("commit");
    return result;
  } finally {
    // Rolls back what is not committed.
    await client.end();
  }
}

/** @returns the version that there was; 0: none */
async function bringUpToDate(client: pg.Client): Promise<number> {
  await client.query("create schema if not exists engine_catalog");
  const current = await readStoredVersion(client);
  const newest = migrations.length;
  if (current > newest) {
    throw new EngineError(
      "start-failed",
      "$",
      `Cannot use database previously used with a newer version of engine (expected a catalog version <=${newest}, but the current version is ${current}).`,
      { status: 500 },
    );
  }
  if (current === newest) return current;
  for (const step of migrations.slice(current)) await client.query(step);
  await client.query(
    current === 0
      ? "insert into engine_catalog.engine_version (version, upgraded_on) values ($1, now())"
      : "update engine_catalog.engine_version set version = $1, upgraded_on = now()",
    [String(newest)],
  );
  return current;
}

/** The catalog version; 0: there are no tables. */
export async function readStoredVersion(client: pg.Client): Promise<number> {
  const found = await client.query<{ exists: boolean }>(
    "select to_regclass('engine_catalog.engine_version') is not null as exists",
  );
  if (!found.rows[0]?.exists) return 0;
  const { rows } = await client.query<{ version: string }>("select version from engine_catalog.engine_version");
  const version = Number(rows[0]?.version ?? 0);
  if (Number.isInteger(version)) return version;
  const message = `engine_catalog.engine_version has the version ${JSON.stringify(rows[0]?.version)}, which is no number`;
  throw new EngineError("start-failed", "$", message, { status: 500 });
}

/** Opens the metadata database of a server and migrates the product's tables. */

import type pg from "pg";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import { shellQuoted } from "../../values/quoted.ts";
import { redactUrl } from "../sources/connection-settings.ts";
import { parseConnectionString } from "../sources/postgres/connection-string.ts";
import { MetadataDatabase, type MetadataDatabaseTimes, metadataDatabaseTimes } from "./metadata-database.ts";
import { migrations } from "./migrations.ts";

/** Advisory lock key that serializes migrations of instances that start at the same time. */
const migrationLock = 7_242_341;

export interface MetadataDatabaseOptions {
  /** Number of connection retries. */
  readonly retries: number;
  /** `false` leaves the tables at the version of another release (maintenance mode). */
  readonly migrate?: boolean;
  readonly times?: Partial<MetadataDatabaseTimes>;
  /** Returns the URL for new connections, whose password may change. Default: the URL at the start. */
  readonly currentUrl?: () => string;
  /** Called with the catalog versions before and after a migration. Not called without `migrate`. */
  readonly onMigrated?: (from: number, to: number) => void;
}

/**
 * Connects and migrates the tables.
 * @throws EngineError `start-failed` naming the host, with the password redacted
 */
export async function openMetadataDatabase(
  url: string,
  { retries, migrate: mayMigrate = true, times, onMigrated, currentUrl = () => url }: MetadataDatabaseOptions,
): Promise<MetadataDatabase> {
  const database = new MetadataDatabase(currentUrl, { ...metadataDatabaseTimes, ...times });
  try {
    await connectWithRetries(database, retries);
    if (mayMigrate) {
      const from = await withMigrationLock(database, migrateTables);
      onMigrated?.(from, migrations.length);
    }
    return database;
  } catch (error) {
    await database.close();
    if (error instanceof EngineError && error.code === "start-failed") throw error;
    throw unreachable(url, error instanceof EngineError ? (error.cause ?? error) : error);
  }
}

/**
 * Connects to the database without changing it.
 * @throws EngineError `start-failed` naming the host and a remedy, with the password redacted
 */
export async function checkMetadataDatabase(
  url: string,
  { retries }: Pick<MetadataDatabaseOptions, "retries">,
): Promise<void> {
  const database = new MetadataDatabase(() => url, metadataDatabaseTimes);
  try {
    await connectWithRetries(database, retries);
  } catch (error) {
    throw unreachable(url, error instanceof EngineError ? (error.cause ?? error) : error);
  } finally {
    await database.close();
  }
}

function unreachable(url: string, error: unknown): EngineError {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const reason = errors.map(messageOf).join(", ");
  const remedy = connectionRemedy(error, url);
  const message = `the metadata database ${redactUrl(url)} cannot be used: ${reason}${remedy === undefined ? "" : `; ${remedy}`}`;
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

/**
 * Runs `work` in one transaction under the migration lock. Has no timeout, because another instance may be migrating.
 */
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
    // Rolls back an uncommitted transaction.
    await client.end();
  }
}

/** Migrates the tables. Returns the previous catalog version, or 0 if there were no tables. */
async function migrateTables(client: pg.Client): Promise<number> {
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

/** Returns the catalog version, or 0 if there are no tables. */
export async function readStoredVersion(client: pg.Client): Promise<number> {
  const found = await client.query<{ exists: boolean }>(
    "select to_regclass('engine_catalog.engine_version') is not null as exists",
  );
  if (!found.rows[0]?.exists) return 0;
  const { rows } = await client.query<{ version: string }>("select version from engine_catalog.engine_version");
  const version = Number(rows[0]?.version ?? 0);
  if (Number.isInteger(version)) return version;
  const message = `engine_catalog.engine_version has the version ${JSON.stringify(rows[0]?.version)}, which is not a number`;
  throw new EngineError("start-failed", "$", message, { status: 500 });
}

/** Returns the remedy for an error of the driver, if there is a specific one. It contains no password. */
function connectionRemedy(error: unknown, url: string): string | undefined {
  // An invalid connection string is an EngineError, which has its own remedy.
  if (!(error instanceof Error) || error instanceof EngineError) return undefined;
  const target = targetOf(url);
  const code = "code" in error ? String(error.code) : "";
  const { database, user } = target;
  switch (code) {
    case "3D000":
      return `create it with \`${command("createdb", target)}${user ? ` --username=${shellQuoted(user)}` : ""} ${shellQuoted(database)}\``;
    case "28P01":
      return "check the user and the password in the URL";
    case "28000":
      return /role ".*" does not exist/.test(error.message)
        ? `create it with \`${command("createuser", target)} --username=postgres --pwprompt ${shellQuoted(user)}\``
        : "check pg_hba.conf of the server, or `sslmode` in the URL";
    case "42501":
      return `run \`grant create on database ${sqlQuoted(database)} to ${sqlQuoted(user)}\` as the owner of the database`;
    case "53300":
      return "close other connections, or raise max_connections of the server";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "check the host name in the URL";
    case "ECONNREFUSED":
    case "ENOENT":
      return `start the server, or check its address with \`${command("pg_isready", target)}\``;
    default:
      return /timeout|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/i.test(`${code} ${error.message}`)
        ? `check its address and the firewall with \`${command("pg_isready", target)}\``
        : undefined;
  }
}

interface Target {
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly database: string;
}

function targetOf(url: string): Target {
  const { host = "localhost", port = 5432, user = "", database = user } = parseConnectionString(url);
  return { host, port: String(port), user, database };
}

function command(program: string, { host, port }: Target): string {
  return `${program} --host=${shellQuoted(host)} --port=${shellQuoted(port)}`;
}

const sqlQuoted = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** What is done to a metadata database while no instance runs on it: its tables for an older version, or gone. */
import type pg from "pg";
import { EngineError, invariant } from "../../values/errors.ts";
import { openMetadataDatabase, readStoredVersion, withMigrationLock } from "./open.ts";
import { reversals } from "./reversals.ts";

export interface Downgrade {
  readonly from: number;
  readonly to: number;
  /** What was run, or would be, in its order. */
  readonly statements: readonly string[];
}

export interface DowngradeOptions {
  readonly retries: number;
  /** Only says what would be done. */
  readonly dryRun: boolean;
  /** Goes on although an instance is alive. */
  readonly force?: boolean;
}

/**
 * Brings the tables back to what they were at an earlier catalog version; what only later versions keep is deleted.
 * @throws EngineError `start-failed` naming the host; `not-supported` for a version that the database cannot go to;
 *   `conflict` while an instance is alive
 */
export async function downgradeCatalog(
  url: string,
  to: number,
  { retries, dryRun, force = false }: DowngradeOptions,
): Promise<Downgrade> {
  return inTransaction(url, retries, async (client) => {
    const from = await readStoredVersion(client);
    if (from === 0) throw new EngineError("not-found", "$", "the database holds no metadata of engine");
    const statements = statementsBetween(from, to);
    if (!dryRun && !force) await refuseWhileAlive(client);
    for (const statement of dryRun ? [] : statements) await client.query(statement);
    return { from, to, statements };
  });
}

/** In seconds; at least the `lease` of `automation/lease.ts`: an instance that is alive has renewed its row since. */
const lifetime = 5;

/** @throws EngineError `conflict` where an instance has renewed its lease within the time of one lease */
async function refuseWhileAlive(client: pg.Client): Promise<void> {
  const table = "engine_catalog.engine_server_instances";
  const { rows: tables } = await client.query("select 1 where to_regclass($1) is not null", [table]);
  if (tables.length === 0) return; // older catalog versions have none
  const { rows } = await client.query(
    `select 1 from ${table} where seen_at > clock_timestamp() - make_interval(secs => $1)`,
    [lifetime],
  );
  if (rows.length === 0) return;
  const message =
    `${rows.length === 1 ? "an instance uses" : `${rows.length} instances use`} this metadata database: stop all ` +
    `instances first (one that was killed counts for ${lifetime} seconds), or pass --force`;
  throw new EngineError("conflict", "$", message);
}

/**
 * Deletes the metadata and everything that the product keeps beside it; sources keep their tables.
 * @returns whether there was anything
 */
export async function cleanCatalog(url: string, retries: number): Promise<boolean> {
  return inTransaction(url, retries, async (client) => {
    const { rows } = await client.query("select 1 from pg_namespace where nspname = 'engine_catalog'");
    await client.query("drop schema if exists engine_catalog cascade");
    return rows.length > 0;
  });
}

function statementsBetween(from: number, to: number): readonly string[] {
  if (from > reversals.length) {
    const message = `the catalog version of the database is ${from}, this engine knows ${reversals.length}: use the engine that it belongs to`;
    throw new EngineError("not-supported", "$", message);
  }
  if (to < 1 || to > from) {
    const message = `the catalog version of the database is ${from}: it can go back to 1 at least, and not beyond ${from}`;
    throw new EngineError("not-supported", "$", message);
  }
  if (to === from) return [];
  const steps = reversals.slice(to, from).reverse();
  const mark = `update engine_catalog.engine_version set version = '${to}', upgraded_on = now();`;
  return [...steps.map(stepText), mark];
}

function stepText(step: string | null): string {
  invariant(step !== null, "only the first version has no way back");
  return step.trim();
}

async function inTransaction<T>(url: string, retries: number, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const database = await openMetadataDatabase(url, { retries, migrate: false });
  try {
    return await withMigrationLock(database, work);
  } finally {
    await database.close();
  }
}

/** Downgrades or removes the tables of a metadata database while no instance runs on it. */
import type pg from "pg";
import { EngineError, invariant } from "../../values/errors.ts";
import { openMetadataDatabase, readStoredVersion, withMigrationLock } from "./open.ts";

export interface Downgrade {
  readonly from: number;
  readonly to: number;
  /** The statements that were run or, in a dry run, would be, in order. */
  readonly statements: readonly string[];
}

export interface DowngradeOptions {
  readonly retries: number;
  /** Only lists the statements. */
  readonly dryRun: boolean;
  /** Continues even if an instance is running. */
  readonly force?: boolean;
  /** Runs under the migration lock, after all checks. If it rejects, nothing is changed. */
  readonly beforeStatements?: () => Promise<void>;
}

/**
 * Restores the tables of an earlier catalog version. Data that only later versions store is deleted.
 * @throws EngineError `start-failed` naming the host; `not-supported` for an unreachable version; `conflict` while an
 *   instance is running
 */
export async function downgradeCatalog(
  url: string,
  to: number,
  { retries, dryRun, force = false, beforeStatements }: DowngradeOptions,
): Promise<Downgrade> {
  return inTransaction(url, retries, async (client) => {
    const from = await readStoredVersion(client);
    if (from === 0) throw new EngineError("not-found", "$", "the database holds no metadata of engine");
    const statements = statementsBetween(from, to);
    if (!dryRun && !force) await refuseWhileAlive(client);
    await beforeStatements?.();
    for (const statement of dryRun ? [] : statements) await client.query(statement);
    return { from, to, statements };
  });
}

/**
 * Lease time in seconds, not less than the one in `jobs/delivery/lease.ts`: a running instance has renewed its row
 * within this time.
 */
const lifetime = 5;

/**
 * Checks that no instance is running.
 * @param remedy end of the message
 * @throws EngineError `conflict` if an instance has renewed its lease within the lease time
 */
export async function refuseWhileAlive(client: pg.Client, remedy = ", or pass --force"): Promise<void> {
  const table = "engine_catalog.engine_server_instances";
  const { rows: tables } = await client.query("select 1 where to_regclass($1) is not null", [table]);
  if (tables.length === 0) return; // older catalog versions have no such table
  const { rows } = await client.query(
    `select 1 from ${table} where seen_at > clock_timestamp() - make_interval(secs => $1)`,
    [lifetime],
  );
  if (rows.length === 0) return;
  const message =
    `${rows.length === 1 ? "an instance uses" : `${rows.length} instances use`} this metadata database: stop all ` +
    `instances first (a killed instance counts for ${lifetime} seconds)${remedy}`;
  throw new EngineError("conflict", "$", message);
}

/**
 * Deletes the metadata and all related data of the product. Sources keep their tables.
 * @returns true if there was anything to delete
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
    const message = `the catalog version of the database is ${from}, this engine supports up to ${reversals.length}: use the engine version that the database belongs to`;
    throw new EngineError("not-supported", "$", message);
  }
  if (to < 1 || to > from) {
    const message = `the catalog version of the database is ${from}: choose a version from 1 to ${from}`;
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

/** Reverses the steps of `migrations.ts` for an older version of the product, one entry per step in the same order. */

/** The first step has no reversal: `engine clean` removes the tables. */
export const reversals: readonly (string | null)[] = [
  null,
  // Restores metadata in one row.
  `
  create table engine_catalog.engine_metadata_before (
    id integer primary key check (id = 1),
    metadata json not null,
    resource_version integer not null default 1 unique
  );
  insert into engine_catalog.engine_metadata_before
    select id, metadata, resource_version from engine_catalog.engine_metadata where metadata is not null;
  drop view engine_catalog.engine_metadata;
  drop table engine_catalog.engine_metadata_part, engine_catalog.engine_metadata_version;
  alter table engine_catalog.engine_metadata_before rename to engine_metadata;
  `,
  `
  drop table engine_catalog.engine_cron_event_invocation_logs, engine_catalog.engine_cron_events,
    engine_catalog.engine_scheduled_event_invocation_logs, engine_catalog.engine_scheduled_events;
  `,
  "drop table engine_catalog.engine_source_shape;",
  "drop table engine_catalog.engine_secret;",
  // Unlocks events, which instances of the older version then claim again.
  ["cron", "scheduled"]
    .map(
      (kind) => `
  update engine_catalog.engine_${kind}_events set status = 'scheduled' where status = 'locked';
  drop index engine_catalog.engine_${kind}_events_locked, engine_catalog.engine_${kind}_events_due;
  alter table engine_catalog.engine_${kind}_events drop locked_by, drop locked_at;
  create index engine_${kind}_events_by_status on engine_catalog.engine_${kind}_events (status);
  `,
    )
    .join("") +
    `
  alter table engine_catalog.engine_scheduled_events drop signing_secret;
  drop index engine_catalog.engine_cron_events_of_trigger;
  drop table engine_catalog.engine_cron_schedules, engine_catalog.engine_server_instances;
  `,
  "drop table engine_catalog.engine_remote_shape;",
  "drop table engine_catalog.engine_action_log;",
  "drop table engine_catalog.engine_catalog_lock;",
  "drop table engine_catalog.engine_metadata_history_part, engine_catalog.engine_metadata_history;",
  `
  drop index engine_catalog.engine_cron_events_listed, engine_catalog.engine_scheduled_events_listed,
    engine_catalog.engine_action_log_listed;
  alter table engine_catalog.engine_cron_events drop redelivered_at;
  alter table engine_catalog.engine_scheduled_events drop redelivered_at;
  `,
  // Calls that wait for a retry are due at once.
  `
  drop table engine_catalog.engine_audit_log;
  drop index engine_catalog.engine_action_log_due;
  alter table engine_catalog.engine_action_log drop tries, drop next_retry_at, drop redelivered_at;
  create index engine_action_log_created
    on engine_catalog.engine_action_log (action_name, created_at, id) where status = 'created';
  `,
];

/** Log lines of type `startup` for routine steps of the start. */
import type { Log } from "./log.ts";
import { logStartup, type StartupKind } from "./startup-log.ts";

/** Catalog versions before and after a migration; 0 means that there were no tables. */
export interface CatalogMigration {
  readonly from: number;
  readonly to: number;
}

const deliveries = {
  event_triggers: "events",
  scheduled_triggers: "scheduled events",
  async_actions: "calls of asynchronous actions",
} as const satisfies Partial<Record<StartupKind, string>>;

export type DeliveringKind = keyof typeof deliveries;

/**
 * Logs the migration of the metadata database.
 * @param migration `undefined` if the tables were left at the version of another release
 */
export function logCatalogMigration(log: Log, migration: CatalogMigration | undefined): void {
  logStartup(log, "catalog_migrate", { message: migrationText(migration), ...migration });
}

function migrationText(migration: CatalogMigration | undefined): string {
  if (migration === undefined) return "the tables of the metadata database are not migrated in maintenance mode";
  const { from, to } = migration;
  if (from === to) return `the metadata database is up to date at catalog version ${to}`;
  if (from === 0) return `created the tables of the metadata database at catalog version ${to}`;
  return `migrated the metadata database from catalog version ${from} to ${to}`;
}

/**
 * Logs whether metadata changes of other instances are applied.
 * @param instanceId id that the instance stores with its own metadata changes
 */
export function logSchemaSync(log: Log, instanceId: string, pollMilliseconds: number): void {
  const isOn = pollMilliseconds > 0;
  const message = isOn
    ? "watching for metadata changes from other instances"
    : "not watching for metadata changes from other instances";
  logStartup(log, "schema-sync", { message, instance_id: instanceId, poll_interval: isOn ? pollMilliseconds : null });
}

/**
 * Logs whether events of a kind are delivered.
 * @param reason the option that disables delivery; `undefined` if it is enabled
 */
export function logDelivering(log: Log, kind: DeliveringKind, reason: string | undefined): void {
  const items = deliveries[kind];
  const message = reason === undefined ? `${items} are delivered` : `${items} are not delivered because of ${reason}`;
  logStartup(log, kind, { message, enabled: reason === undefined });
}

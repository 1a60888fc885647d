/** Lines of type `startup` about the steps of a start that nearly always go the same way. */
import type { Log } from "./log.ts";
import { logStartup, type StartupKind } from "./startup-log.ts";

/** From one catalog version to another; 0: there were no tables. */
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

/** @param migration `undefined`: the tables are left as another version of the engine has them */
export function logCatalogMigration(log: Log, migration: CatalogMigration | undefined): void {
  logStartup(log, "catalog_migrate", { message: migrationText(migration), ...migration });
}

function migrationText(migration: CatalogMigration | undefined): string {
  if (migration === undefined) return "the tables of the metadata database are left as they are, in maintenance mode";
  const { from, to } = migration;
  if (from === to) return `the tables of the metadata database are of catalog version ${to}: nothing to do`;
  if (from === 0) return `the tables of the metadata database were made, of catalog version ${to}`;
  return `the tables of the metadata database were brought from catalog version ${from} to ${to}`;
}

/** @param instanceId what the instance writes beside its changes of the metadata */
export function logSchemaSync(log: Log, instanceId: string, pollMilliseconds: number): void {
  const isOn = pollMilliseconds > 0;
  const message = isOn
    ? "changes that other instances make of the metadata are taken over"
    : "changes that other instances make of the metadata are not looked for";
  logStartup(log, "schema-sync", { message, instance_id: instanceId, poll_interval: isOn ? pollMilliseconds : null });
}

/** @param reason the option that keeps this instance from it; `undefined`: it delivers */
export function logDelivering(log: Log, kind: DeliveringKind, reason: string | undefined): void {
  const what = deliveries[kind];
  const message = reason === undefined ? `${what} are delivered` : `${what} are not delivered, by ${reason}`;
  logStartup(log, kind, { message, enabled: reason === undefined });
}

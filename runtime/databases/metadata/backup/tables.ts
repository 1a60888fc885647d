/** The tables of the metadata database that a backup contains, by part. */

/** Parts that a backup or a restore can leave out. The metadata itself is always included. */
export const backupParts = ["history", "schedules", "actions", "logs", "secrets"] as const;

export type BackupPart = (typeof backupParts)[number];

export interface BackupTable {
  readonly name: string;
  readonly part: BackupPart | "metadata";
  /** Columns with other values after a restore: the instance that held a row is gone. */
  readonly released?: string;
  /** Column with generated numbers, which continue after the restored ones. */
  readonly numbered?: string;
}

const releasedEvent = "status = 'scheduled', locked_by = null, locked_at = null where status = 'locked'";

/** In the order of a restore. */
export const backupTables: readonly BackupTable[] = [
  { name: "engine_version", part: "metadata" },
  { name: "engine_metadata_version", part: "metadata" },
  { name: "engine_metadata_part", part: "metadata" },
  { name: "engine_secret", part: "secrets" },
  { name: "engine_metadata_history", part: "history" },
  { name: "engine_metadata_history_part", part: "history" },
  { name: "engine_audit_log", part: "history", numbered: "id" },
  { name: "engine_cron_schedules", part: "schedules" },
  { name: "engine_cron_events", part: "schedules", released: releasedEvent },
  { name: "engine_scheduled_events", part: "schedules", released: releasedEvent },
  {
    name: "engine_action_log",
    part: "actions",
    released: "status = 'created', locked_by = null, locked_at = null where status = 'processing'",
  },
  { name: "engine_cron_event_invocation_logs", part: "logs" },
  { name: "engine_scheduled_event_invocation_logs", part: "logs" },
];

/** Tables without lasting state: notifications, heartbeats, locks of tools, and shapes that a start reads again. */
export const transientTables: readonly string[] = [
  "engine_schema_notifications",
  "engine_server_instances",
  "engine_catalog_lock",
  "engine_source_shape",
  "engine_remote_shape",
];

/** The view of the stored parts, dropped before the tables that it reads. */
export const metadataView = "engine_metadata";

/** Returns the tables that remain without these parts. Without schedules there are no logs, which refer to their events. */
export function tablesWithout(parts: ReadonlySet<BackupPart>): readonly BackupTable[] {
  const left = new Set<BackupTable["part"]>(parts);
  if (left.has("schedules")) left.add("logs");
  return backupTables.filter(({ part }) => !left.has(part));
}

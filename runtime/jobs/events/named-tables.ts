/**
 * Creates the event tables for SQL of users that names them, such as a view of undelivered events in a migration that
 * runs before the first event trigger is created.
 */
import { install, type RecordedSource } from "./install.ts";

const eventTable =
  /\bengine_catalog"?\s*\.\s*"?(?:event_log|event_invocation_logs|engine_event_log_cleanups|gen_engine_uuid)\b/i;

/**
 * Installs the tables if the SQL names one of them.
 * @throws EngineError that names the source, if its user lacks the privileges
 */
export async function makeNamedTables(source: RecordedSource, sql: string): Promise<void> {
  if (eventTable.test(sql)) await install(source, { wanted: [], isGone: () => false, needsTables: true });
}

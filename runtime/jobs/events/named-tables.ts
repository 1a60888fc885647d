/**
 * SQL of users that names the tables of events, such as a view of what was not delivered. It may come before the first
 * event trigger, in a migration: the tables are made before it runs, as that trigger would make them.
 */
import { install, type RecordedSource } from "./install.ts";

const eventTable =
  /\bengine_catalog"?\s*\.\s*"?(?:event_log|event_invocation_logs|engine_event_log_cleanups|gen_engine_uuid)\b/i;

/** @throws EngineError that names the source, where its user may not make them */
export async function makeNamedTables(source: RecordedSource, sql: string): Promise<void> {
  if (eventTable.test(sql)) await install(source, { wanted: [], isGone: () => false, needsTables: true });
}

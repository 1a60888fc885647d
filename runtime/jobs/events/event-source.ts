/** A source with events: its database, and the SQL of its kind. */
import type { DatabaseSource } from "../../databases/sources/source.ts";
import { EngineError } from "../../values/errors.ts";
import type { CleanupStatements } from "./cleanup-statements.ts";
import type { EventLogStatements } from "./log-statements.ts";
import { mssqlCleanup, mssqlLogs } from "./mssql/logs.ts";
import { postgresCleanup, postgresLogs } from "./postgres/logs.ts";

export interface EventSource {
  readonly database: DatabaseSource;
  readonly logs: EventLogStatements;
  readonly cleanup: CleanupStatements;
}

const byKind: Readonly<Record<string, Omit<EventSource, "database">>> = {
  mssql: { logs: mssqlLogs, cleanup: mssqlCleanup },
  postgres: { logs: postgresLogs, cleanup: postgresCleanup },
};

/**
 * Returns the source with the SQL of its kind.
 * @throws EngineError if the kind does not support event triggers
 */
export function eventSource(kind: string, database: DatabaseSource): EventSource {
  const statements = byKind[kind];
  if (statements === undefined) {
    throw new EngineError("not-supported", "$", `event triggers are not supported for sources of kind ${kind}`);
  }
  return { database, ...statements };
}

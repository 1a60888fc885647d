/** Converts connection events of a source to log messages. */
import type { ConnectionMeter, SourceReport } from "../source.ts";
import type { PostgresEvents } from "./open-postgres.ts";

export function reportEvents(source: string, report: SourceReport, meter?: ConnectionMeter): PostgresEvents {
  return {
    meter,
    onReduced: (connections, reason) =>
      report("warn", "The database rejects further connections; requests wait for existing ones", {
        source,
        connections,
        reason,
      }),
    onReplica: (server, isInUse) =>
      isInUse
        ? report("info", "A read replica is reachable again", { source, server })
        : report("warn", "A read replica is unreachable; reads go to the others and the primary", { source, server }),
    onRestored: () => report("info", "The database accepts connections again", { source }),
    onDelivery: (isDelivered) =>
      isDelivered
        ? report("info", "LISTEN messages arrive again; live queries use notifications", { source })
        : report("warn", "LISTEN messages do not arrive, as behind a pooler; live queries are polled", { source }),
  };
}

/** What happens to the connections of a source → what an operator reads. */
import type { ConnectionMeter, SourceReport } from "../source.ts";
import type { PostgresEvents } from "./open-postgres.ts";

export function reportEvents(source: string, report: SourceReport, meter?: ConnectionMeter): PostgresEvents {
  return {
    meter,
    onReduced: (connections, reason) =>
      report("warn", "The database refuses further connections: requests wait for those that there are", {
        source,
        connections,
        reason,
      }),
    onReplica: (server, isAsked) =>
      isAsked
        ? report("info", "A read replica answers again", { source, server })
        : report("warn", "A read replica does not answer: others and the primary are asked", { source, server }),
    onRestored: () => report("info", "The database accepts connections again", { source }),
    onHearing: (isHeard) =>
      isHeard
        ? report("info", "Messages of LISTEN arrive again: live queries wait for changes", { source })
        : report("warn", "Messages of LISTEN do not arrive, as behind a pooler: live queries are polled", { source }),
  };
}

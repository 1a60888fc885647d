/** How many connections the sources have, told whenever the metrics are read. */
import type { Meters } from "../ports/metrics.ts";
import type { DatabaseSource } from "../sources/source.ts";

export function tellConnections(meters: Meters, sources: () => Iterable<DatabaseSource>): void {
  meters.onRead(() => {
    meters.postgresConnections.clear();
    for (const { name, server = "", connections } of sources()) {
      if (connections === undefined) continue;
      const labels = { source_name: name, conn_info: server, role: "primary" };
      meters.postgresConnections.set(connections.connections, labels);
    }
  });
}

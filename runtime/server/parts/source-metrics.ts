/** How many connections the sources have, told whenever the metrics are read. */

import type { ConnectionRole, DatabaseSource } from "../../databases/sources/source.ts";
import type { Meters } from "../../ports/metrics.ts";

export function tellConnections(meters: Meters, sources: () => Iterable<DatabaseSource>): void {
  meters.onRead(() => {
    meters.postgresConnections.clear();
    const tell = ({ name, server = "", connections }: DatabaseSource, role: ConnectionRole): void => {
      if (connections === undefined) return;
      meters.postgresConnections.set(connections.connections, { source_name: name, conn_info: server, role });
    };
    for (const source of sources()) {
      tell(source, "primary");
      for (const replica of source.replicas ?? []) tell(replica, "replica");
      for (const member of source.routes?.members.values() ?? []) tell(member, "member");
    }
  });
}

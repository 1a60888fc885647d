/** Asks a server, on a connection of its own, whether it works on what was sent on others that are silent. */
import { Socket } from "node:net";
import { DatabaseError } from "pg";
import type { PostgresConnection } from "./connection.ts";
import type { ConnectionTimes } from "./connection-times.ts";
import type { Connector } from "./connector.ts";

/**
 * Those of these sessions that are there, and whether they wait for their client, although the client has sent them
 * something or waits for an answer: then a packet is lost. What other roles' sessions do is hidden.
 */
const sessionsStatement = `
  select pid::text,
    (coalesce(state like 'idle%' or wait_event in ('ClientRead', 'ClientWrite'), false)
      and coalesce(state_change < clock_timestamp() - $2::float8 * interval '1 millisecond', false))::text,
    client_port::text, (pid = pg_backend_pid())::text
  from pg_catalog.pg_stat_activity
  where pid = pg_backend_pid() or pid = any($1::int[])`;

/** @returns those that lead nowhere; `all`: nobody answers; `unknown`: the server answers, but takes no connection now */
export async function findLost(
  connector: Connector,
  connections: readonly PostgresConnection[],
  { silence, check, farewell }: Pick<ConnectionTimes, "silence" | "check" | "farewell">,
): Promise<ReadonlySet<PostgresConnection> | "all" | "unknown"> {
  let asking: PostgresConnection;
  try {
    asking = await connector.connectOnce(check);
  } catch (error) {
    return error instanceof DatabaseError ? "unknown" : "all";
  }
  const timer = setTimeout(() => asking.destroy(new Error("the server did not answer in time")), check);
  try {
    const values = [`{${connections.map(({ processId }) => processId).join(",")}}`, String(silence / 2)];
    const rows = await asking.runSteps([{ text: sessionsStatement, values }]);
    const isDirect = rows.some(([, , port, isOwn]) => isOwn === "true" && port === portOf(asking));
    const states = new Map(rows.map(([pid, isWaiting]) => [pid, isWaiting === "true"]));
    const known = connections.filter((connection) => isDirect || leadToOneServer(connection, asking));
    return new Set(known.filter(({ processId }) => states.get(String(processId)) ?? true));
  } catch {
    // A pooler that answers may have no connection to its server left to ask on.
    const isPooled = connections.every(({ server }) => server === undefined);
    return asking.isLost && !isPooled ? "all" : "unknown";
  } finally {
    clearTimeout(timer);
    void asking.leave(farewell);
  }
}

/**
 * What stands between, a load balancer for example, may have led them to two servers, which number their sessions
 * alike. Nothing stands between where both ends name the same port; then the server may even have been restarted.
 */
function leadToOneServer(suspect: PostgresConnection, asking: PostgresConnection): boolean {
  return suspect.server !== undefined && suspect.server === asking.server;
}

function portOf({ connection: { stream } }: PostgresConnection): string | undefined {
  return stream instanceof Socket ? String(stream.localPort) : undefined;
}

/** Finds silent connections whose statements the server is not working on, by querying it on a separate connection. */
import { Socket } from "node:net";
import { DatabaseError } from "pg";
import type { PostgresConnection } from "./connection.ts";
import type { ConnectionTimes } from "./connection-times.ts";
import type { Connector } from "./connector.ts";

/**
 * Selects the existing sessions among these, and whether each waits for its client although the client has sent data or
 * waits for a response, which means that a packet was lost. Activity of other roles' sessions is hidden.
 */
const sessionsStatement = `
  select pid::text,
    (coalesce(state like 'idle%' or wait_event in ('ClientRead', 'ClientWrite'), false)
      and coalesce(state_change < clock_timestamp() - $2::float8 * interval '1 millisecond', false))::text,
    client_port::text, (pid = pg_backend_pid())::text
  from pg_catalog.pg_stat_activity
  where pid = pg_backend_pid() or pid = any($1::int[])`;

/**
 * Returns the dead connections; `all` if the server does not respond; `unknown` if it responds but accepts no
 * connection now.
 */
export async function findLost(
  connector: Connector,
  connections: readonly PostgresConnection[],
  { silence, check, close }: Pick<ConnectionTimes, "silence" | "check" | "close">,
): Promise<ReadonlySet<PostgresConnection> | "all" | "unknown"> {
  let probe: PostgresConnection;
  try {
    probe = await connector.connectOnce(check);
  } catch (error) {
    return error instanceof DatabaseError ? "unknown" : "all";
  }
  const timer = setTimeout(() => probe.destroy(new Error("the server did not respond in time")), check);
  try {
    const values = [`{${connections.map(({ processId }) => processId).join(",")}}`, String(silence / 2)];
    const rows = await probe.runSteps([{ text: sessionsStatement, values }]);
    const isDirect = rows.some(([, , port, isOwn]) => isOwn === "true" && port === portOf(probe));
    const states = new Map(rows.map(([pid, isWaiting]) => [pid, isWaiting === "true"]));
    const known = connections.filter((connection) => isDirect || isSameServer(connection, probe));
    return new Set(known.filter(({ processId }) => states.get(String(processId)) ?? true));
  } catch {
    // A pooler may respond without having a free server connection.
    const isPooled = connections.every(({ server }) => server === undefined);
    return probe.isLost && !isPooled ? "all" : "unknown";
  } finally {
    clearTimeout(timer);
    void probe.leave(close);
  }
}

/**
 * Returns true if both connections lead to the same server. A load balancer may have routed them to two servers with
 * overlapping process ids. The check is not needed if both ends see the same port, because then the connection is
 * direct; a restarted server has none of the sessions.
 */
function isSameServer(suspect: PostgresConnection, probe: PostgresConnection): boolean {
  return suspect.server !== undefined && suspect.server === probe.server;
}

function portOf({ connection: { stream } }: PostgresConnection): string | undefined {
  return stream instanceof Socket ? String(stream.localPort) : undefined;
}

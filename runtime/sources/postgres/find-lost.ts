/** Asks a server, on a connection of its own, whether it works on what was sent on others that are silent. */
import { Socket } from "node:net";
import { DatabaseError } from "pg";
import type { PostgresConnection } from "./connection.ts";
import type { ConnectionTimes } from "./connection-times.ts";
import type { Connector } from "./connector.ts";

/**
 * A session that waits for its client, although the client has sent it something or waits for an answer: a packet is
 * lost. A session that is not there at all says so only where nothing stands between, which may have led to another
 * server; then both ends name the same port.
 */
const sessionsStatement = `
  select pid::text,
    ((state like 'idle%' or coalesce(wait_event in ('ClientRead', 'ClientWrite'), false))
      and state_change < clock_timestamp() - $2::float8 * interval '1 millisecond')::text,
    client_port::text, (pid = pg_backend_pid())::text
  from pg_catalog.pg_stat_activity
  where pid = pg_backend_pid() or (pid = any($1::int[]) and usename = current_user and datname = current_database())`;

/** @returns those that lead nowhere; `all`: nobody answers; `unknown`: the server answers, but takes no connection now */
export async function findLost(
  connector: Connector,
  connections: readonly PostgresConnection[],
  times: ConnectionTimes,
): Promise<ReadonlySet<PostgresConnection> | "all" | "unknown"> {
  let asking: PostgresConnection;
  try {
    asking = await connector.connectOnce(times.check);
  } catch (error) {
    return error instanceof DatabaseError ? "unknown" : "all";
  }
  const timer = setTimeout(() => asking.destroy(new Error("the server did not answer in time")), times.check);
  try {
    const values = [`{${connections.map(({ processId }) => processId).join(",")}}`, String(times.silence / 2)];
    const rows = await asking.runSteps([{ text: sessionsStatement, values }]);
    const isDirect = rows.some(([, , port, isOwn]) => isOwn === "true" && port === portOf(asking));
    const states = new Map(rows.map(([pid, isWaiting]) => [pid, isWaiting === "true"]));
    return new Set(connections.filter(({ processId }) => states.get(String(processId)) ?? isDirect));
  } catch {
    return asking.isLost ? "all" : "unknown";
  } finally {
    clearTimeout(timer);
    void asking.leave(times.farewell);
  }
}

function portOf({ connection: { stream } }: PostgresConnection): string | undefined {
  return stream instanceof Socket ? String(stream.localPort) : undefined;
}

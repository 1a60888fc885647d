/**
 * Log lines of type `ws-server`: low-level events of WebSockets for debugging. Frames are logged by size only, because
 * their content belongs to the client.
 */
import type { Log } from "./log.ts";

export type SocketEvent =
  | { readonly type: "connection_request"; readonly path: string }
  | { readonly type: "accepted"; readonly protocol: string }
  | { readonly type: "rejected"; readonly status: number }
  | { readonly type: "message_received" | "message_sent"; readonly size: number }
  | { readonly type: "session_expired" }
  | { readonly type: "closed"; readonly code: number };

/** Returns a function that logs events of a connection, or `undefined` if they are disabled. */
export function socketLog(log: Log, websocketId: string): ((event: SocketEvent) => void) | undefined {
  if (!log.isEnabled("ws-server", "debug")) return undefined;
  return (event) => log.debug("ws-server", { websocket_id: websocketId, event });
}

/** Logs that the server has closed a number of connections together. */
export function logEndOfSockets(log: Log, count: number, { code, reason }: { code: number; reason: string }): void {
  if (count === 0) return;
  log.info("ws-server", { message: `closed ${count} connections: ${reason}`, count, code });
}

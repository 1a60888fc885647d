/**
 * Lines of type `ws-server`: what the server does with its WebSockets, for whoever looks into a
 * connection. Frames are told by their sizes only: what they say is the client's.
 */
import type { Log } from "./log.ts";

export type SocketEvent =
  | { readonly type: "connection_request"; readonly path: string }
  | { readonly type: "accepted"; readonly protocol: string }
  | { readonly type: "rejected"; readonly status: number }
  | { readonly type: "message_received" | "message_sent"; readonly size: number }
  | { readonly type: "session_expired" }
  | { readonly type: "closed"; readonly code: number };

/** @returns `undefined` where nobody reads them */
export function socketLog(log: Log, websocketId: string): ((event: SocketEvent) => void) | undefined {
  if (!log.isEnabled("ws-server", "debug")) return undefined;
  return (event) => log.debug("ws-server", { websocket_id: websocketId, event });
}

/** Connections that the server ends by itself, all at once. */
export function logEndOfSockets(log: Log, count: number, { code, reason }: { code: number; reason: string }): void {
  if (count === 0) return;
  log.info("ws-server", { message: `${count} connections are closed: ${reason}`, count, code });
}

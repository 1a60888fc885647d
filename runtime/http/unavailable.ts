/** Responds with an error to every request of a host program while no server can serve it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { writeBareResponse } from "./responses.ts";

export interface Unavailable {
  fetch(): Promise<Response>;
  listener(request: IncomingMessage, reply: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * Returns the handlers of a host program that respond with an error.
 * @param status 503 if later requests may succeed, else 500
 */
export function unavailable(status: 500 | 503, message: string): Unavailable {
  const headers = { "content-type": "application/json; charset=utf-8", ...(status === 503 && { "retry-after": "1" }) };
  const body = JSON.stringify({ path: "$", error: message, code: "unexpected" });
  return {
    // In bundles, another declaration may shadow the bare name.
    fetch: async () => new globalThis.Response(body, { status, headers }),
    listener(request, reply) {
      request.resume();
      reply.writeHead(status, headers).end(body);
    },
    upgrade(_request, socket) {
      socket.on("error", () => socket.destroy());
      writeBareResponse(socket, status, headers, body);
    },
  };
}

/** Answers every request that no server can take, in the form of an error of the administration endpoints. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { answerBare } from "./bare-answer.ts";

export interface Unavailable {
  fetch(): Promise<Response>;
  listener(request: IncomingMessage, reply: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** @param status 503: later requests may be served; 500: nothing says that they will be */
export function unavailable(status: 500 | 503, message: string): Unavailable {
  const headers = { "content-type": "application/json; charset=utf-8", ...(status === 503 && { "retry-after": "1" }) };
  const body = JSON.stringify({ path: "$", error: message, code: "unexpected" });
  return {
    // By this name: bundles have no other one.
    fetch: async () => new globalThis.Response(body, { status, headers }),
    listener(request, reply) {
      request.resume();
      reply.writeHead(status, headers).end(body);
    },
    upgrade(_request, socket) {
      socket.on("error", () => socket.destroy());
      answerBare(socket, status, headers, body);
    },
  };
}

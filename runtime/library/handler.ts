/** An engine that is opened by the first request, with what the environment says: for hosts that import a handler. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Engine } from "./engine.d.mts";
import type { EngineHandler } from "./handler.d.mts";

/** @param open rejects where the engine cannot start; the next request tries again */
export function handlerOf(open: () => Promise<Engine>): EngineHandler {
  let opening: Promise<Engine> | null = null;
  const engine = (): Promise<Engine> => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  return {
    async fetch(request, from) {
      const opened = await engine().catch(tell);
      // By this name: bundles have no other one.
      return opened?.fetch(request, from) ?? new globalThis.Response(unavailable, { status: 503, headers });
    },
    listener(request, reply) {
      void engine()
        .catch(tell)
        .then((opened) => (opened ? opened.listener(request, reply) : answerUnavailable(request, reply)));
    },
    upgrade(request, socket, head) {
      socket.on("error", () => socket.destroy());
      void engine()
        .catch(tell)
        .then((opened) => (opened ? opened.upgrade(request, socket, head) : socket.destroy()));
    },
    async close() {
      const opened = await opening?.catch(() => null);
      opening = null;
      await opened?.close();
    },
  };
}

/** What is wrong may name hosts and files: it is for those who run the program. */
function tell(error: unknown): undefined {
  process.stderr.write(`the engine cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
}

const headers = { "content-type": "application/json; charset=utf-8", "retry-after": "1" };
const unavailable = JSON.stringify({ path: "$", error: "the engine cannot start", code: "unexpected" });

function answerUnavailable(request: IncomingMessage, reply: ServerResponse): void {
  request.resume();
  reply.writeHead(503, headers).end(unavailable);
}

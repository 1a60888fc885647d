/** A request handler that opens its engine on the first request. */

import { unavailable } from "../../http/unavailable.ts";
import { messageOf } from "../../values/message-of.ts";
import type { Engine } from "./engine.d.mts";
import type { EngineHandler } from "./handler.d.mts";

type Serving = Pick<Engine, "fetch" | "listener" | "upgrade">;

/**
 * Creates a handler.
 * @param open rejects if the engine cannot start; the next request retries
 */
export function handlerOf(open: () => Promise<Engine>): EngineHandler {
  let opening: Promise<Engine> | null = null;
  let isClosed = false;
  const serving = async (): Promise<Serving> => {
    if (isClosed && opening === null) return closed;
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening.catch(reportFailure);
  };
  return {
    fetch: async (request, from) => (await serving()).fetch(request, from),
    listener(request, reply) {
      void serving().then(({ listener }) => listener(request, reply));
    },
    upgrade(request, socket, head) {
      socket.on("error", () => socket.destroy());
      void serving().then(({ upgrade }) => upgrade(request, socket, head));
    },
    async close() {
      isClosed = true;
      const opened = await opening?.catch(() => null);
      await opened?.close();
    },
  };
}

const closed = unavailable(503, "the engine is closed");
const unopened = unavailable(503, "the engine cannot start");

/** Writes the reason to standard error only, because it may name hosts and files. */
function reportFailure(error: unknown): Serving {
  process.stderr.write(`the engine cannot start: ${messageOf(error)}\n`);
  return unopened;
}

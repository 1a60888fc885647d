/** The client at the other end of a connection, as those see it who work for it. */
import type { Socket } from "node:net";
import type { Caller } from "../values/caller.ts";

const callers = new WeakMap<Socket, Caller>();

/**
 * One for all requests of a connection: what waits in a source must not hold the request, whose memory would outlive
 * its answer.
 */
export function callerOf(socket: Socket): Caller {
  let caller = callers.get(socket);
  if (caller === undefined) {
    caller = {
      get aborted() {
        return socket.destroyed;
      },
    };
    callers.set(socket, caller);
  }
  return caller;
}

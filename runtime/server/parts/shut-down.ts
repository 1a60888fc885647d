/**
 * The end of a server, live or sealed (`operations.md` 13): it takes no new work, lets work in progress finish until
 * the deadline, and cuts off the rest.
 */

import type { Health } from "../../databases/sources/health/health.ts";
import type { DatabaseSource } from "../../databases/sources/source.ts";
import type { App } from "../../http/app.ts";
import type { Log } from "../../observe/logs/log.ts";
import { EngineError } from "../../values/errors.ts";
import { within } from "../../values/within.ts";
import type { Eventing } from "./eventing.ts";

export interface ShutdownParts {
  /** How long work in progress may take. */
  readonly timeoutSeconds: number;
  readonly health: Health;
  readonly app: Pick<App, "close" | "terminate" | "inProgress">;
  readonly delivering: readonly Pick<Eventing, "stop">[];
  /** The databases on which statements may run. */
  readonly sources: () => readonly DatabaseSource[];
  readonly log: Log;
  /** Ends everything else that the server started. */
  readonly closeRest: () => Promise<void>;
}

/** In milliseconds: so long those that are cut off have to be told, and everything else to end. */
const farewell = 1000;
/** In milliseconds: so much of the time is left to give back events that are not delivered in it. */
const unlocking = 500;
/** In milliseconds: what is cut off may send another statement. */
const cancelAgain = 50;

/** Resolves soon after the deadline, whatever hangs: the process can end then. */
export async function shutDown(parts: ShutdownParts): Promise<void> {
  const { timeoutSeconds, health, app, delivering, log, closeRest } = parts;
  health.stop();
  let isOver = false;
  const patience = Math.max(0, timeoutSeconds * 1000 - unlocking);
  const delivered = delivering.map((each) => each.stop(patience));
  const closed = Promise.all([app.close(), ...delivered]);
  const ended = closed.then(closeRest).finally(() => {
    isOver = true;
  });
  ended.catch(() => undefined); // after the farewell nobody waits for it
  const isDone = ended.then(() => true);
  if (await within(isDone, timeoutSeconds * 1000, false)) return;
  log.warn("unstructured", {
    message: `work was cut off after ${timeoutSeconds} seconds of shutdown`,
    requests: app.inProgress(),
  });
  const cancelling = cancelUntil(parts, () => isOver);
  await within(closed, farewell, undefined);
  app.terminate();
  await within(ended, farewell, undefined);
  isOver = true;
  await within(cancelling, farewell, undefined);
}

const cutOff = new EngineError("unexpected", "$", "the server is shutting down", { status: 503 });

/** Statements fail, so that their transactions are rolled back and their callers answered. */
async function cancelUntil({ sources, log }: ShutdownParts, isOver: () => boolean): Promise<void> {
  let statements = 0;
  while (!isOver()) {
    // A database that cannot be told finds out when its connections end with the process.
    const counts = await Promise.all(sources().map((source) => source.cancelAll(cutOff).catch(() => 0)));
    statements += counts.reduce((sum, count) => sum + count, 0);
    await new Promise((resolve) => setTimeout(resolve, cancelAgain));
  }
  if (statements > 0) log.warn("unstructured", { message: `${statements} statements were cancelled at shutdown` });
}

/** The beginning and the end that a live and a sealed server share. */
import type { Options } from "../../config/option-table.ts";
import type { Health } from "../../databases/sources/health/health.ts";
import type { DatabaseSource } from "../../databases/sources/source.ts";
import type { App } from "../../http/app.ts";
import { loadMultipart } from "../../http/multipart.ts";
import type { Log } from "../../observe/logs/log.ts";
import { logServerStarted, logWorkerReady } from "../../observe/logs/startup-log.ts";
import { loadConnections } from "../../outbound/http-client.ts";
import type { Siblings } from "../../ports/siblings.ts";
import type { Eventing } from "./eventing.ts";
import { shutDown } from "./shut-down.ts";

export interface RunningServer {
  /** 0: of a worker, which gets the connections of a port that another process listens on. */
  readonly port: number;
  /** Lets work in progress finish, until the time limit of the options; then ends everything that the server started. */
  close(): Promise<void>;
}

/** What a start has begun, to be ended in the opposite order. */
export class Started {
  /** By the clock of `performance.now`. */
  readonly since = performance.now();
  /** Resolves when the libraries are loaded that requests and calls need, so that no request has to load any. */
  readonly loaded: Promise<unknown> = Promise.all([loadConnections(), loadMultipart()]);
  readonly #closers: (() => Promise<unknown>)[] = [];

  add(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }
}

/** Runs a start; what it has begun when it fails is ended. */
export async function startOrUndo<T>(start: (started: Started) => Promise<T>): Promise<T> {
  const started = new Started();
  // A start that fails for another reason does not wait for them.
  started.loaded.catch(() => undefined);
  try {
    const result = await start(started);
    await started.loaded;
    return result;
  } catch (error) {
    await started.close();
    throw error;
  }
}

export interface ServerParts {
  readonly app: App;
  readonly health: Health;
  /** What delivers by itself. */
  readonly delivering: readonly Pick<Eventing, "stop">[];
  /** The databases on which statements may run. */
  readonly sources: () => readonly DatabaseSource[];
  readonly options: Pick<Options, "gracefulShutdownTimeoutSeconds">;
  readonly log: Log;
  /** The other processes of the server; absent: there are none. */
  readonly siblings?: Siblings | undefined;
}

/** The last step of a start: requests come in from now on. */
export async function listen(
  started: Started,
  { app, health, delivering, sources, options, log, siblings }: ServerParts,
): Promise<RunningServer> {
  await started.loaded;
  const port = siblings === undefined ? (await app.listen()).port : 0;
  const seconds = (performance.now() - started.since) / 1000;
  if (siblings === undefined) logServerStarted(log, seconds);
  else {
    await siblings.open(await app.adopt());
    logWorkerReady(log, siblings.worker, seconds);
  }
  const timeoutSeconds = options.gracefulShutdownTimeoutSeconds;
  const closeRest = (): Promise<void> => started.close();
  return { port, close: () => shutDown({ timeoutSeconds, health, app, delivering, sources, log, closeRest }) };
}

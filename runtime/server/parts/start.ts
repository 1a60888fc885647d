/** The start and the shutdown of live and sealed servers. */
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import type { Health } from "../../databases/sources/health/health.ts";
import type { DatabaseSource } from "../../databases/sources/source.ts";
import type { Generation } from "../../execute/generation.ts";
import type { App } from "../../http/app.ts";
import { loadMultipart } from "../../http/multipart.ts";
import { type DeliveredSource, EventDelivery } from "../../jobs/events/event-delivery.ts";
import type { Log } from "../../observe/logs/log.ts";
import { logServerStarted, logWorkerReady } from "../../observe/logs/startup-log.ts";
import { logDelivering } from "../../observe/logs/startup-steps.ts";
import { loadConnections } from "../../outbound/http-client.ts";
import type { Siblings } from "../../ports/siblings.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import { EngineError } from "../../values/errors.ts";
import { within } from "../../values/timer.ts";
import { type AutomaticOptions, undeliveredBy } from "./delivering.ts";

// Delivery of the events of event triggers.

interface EventingSettings {
  readonly options: AutomaticOptions;
  readonly environment: Environment;
  readonly version: string;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly generation: () => Pick<Generation, "eventTriggers" | "sources" | "tlsAllowlist">;
  /** Returns the current kind of a source. */
  readonly kindOf: (source: string) => string | undefined;
}

interface Eventing {
  /** Applies the current generation. */
  refresh(): void;
  /** Resolves when deliveries from a database that is no longer part of the generation have ended. */
  ended(database: DatabaseSource): Promise<void>;
  /** Stops, and waits for deliveries in progress at most this long. Idempotent. */
  stop(milliseconds: number): Promise<void>;
}

export function openEventing(settings: EventingSettings): Eventing {
  const { options, generation, log } = settings;
  // Delivery is disabled if another instance delivers or results cannot be written.
  const reason = undeliveredBy(options, { "--events-fetch-batch-size": options.eventsFetchBatchSize });
  logDelivering(log, "event_triggers", reason);
  const uncheckedHosts = () => generation().tlsAllowlist;
  const delivery = reason === undefined ? new EventDelivery({ ...settings, uncheckedHosts }) : undefined;
  return {
    refresh: () => delivery?.setSources(deliveredSources(settings)),
    ended: async (database) => delivery?.ended(database),
    stop: async (milliseconds) => delivery?.stop(milliseconds),
  };
}

function deliveredSources({ generation, kindOf }: EventingSettings): readonly DeliveredSource[] {
  const current = generation();
  const eventTriggers = current.eventTriggers();
  return [...current.sources].flatMap(([name, database]) => {
    const kind = kindOf(name);
    const triggers = eventTriggers.filter(({ source }) => source === name);
    return kind === undefined || triggers.length === 0 ? [] : [{ kind, database, triggers }];
  });
}

export interface RunningServer {
  /** 0 for a worker, whose connections are accepted by another process. */
  readonly port: number;
  /** Waits for work in progress, up to the shutdown timeout, then closes all parts of the server. */
  close(): Promise<void>;
}

/** The opened parts of a server, which are closed in reverse order. */
export class Started {
  /** A time of `performance.now`. */
  readonly since = performance.now();
  /** Resolves when the libraries for requests and calls are loaded, so that no request has to load them. */
  readonly loaded: Promise<unknown> = Promise.all([loadConnections(), loadMultipart()]);
  readonly #closers: (() => Promise<unknown>)[] = [];

  add(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }
}

/** Runs a start. If it fails, closes the parts that it has opened. */
export async function startOrUndo<T>(start: (started: Started) => Promise<T>): Promise<T> {
  const started = new Started();
  // A start that fails for another reason does not wait for the libraries.
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
  /** Background deliveries. */
  readonly delivering: readonly Pick<Eventing, "stop">[];
  /** The databases on which statements may run. */
  readonly sources: () => readonly DatabaseSource[];
  readonly options: Pick<Options, "gracefulShutdownTimeoutSeconds">;
  readonly log: Log;
  /** The other worker processes, if any. */
  readonly siblings?: Siblings | undefined;
}

/** Begins to accept requests, as the last step of a start. */
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

// Shutdown: accepts no new work, waits for work in progress until the deadline, then cancels it.

interface ShutdownParts {
  /** The timeout for work in progress. */
  readonly timeoutSeconds: number;
  readonly health: Health;
  readonly app: Pick<App, "close" | "terminate" | "inProgress">;
  readonly delivering: readonly Pick<Eventing, "stop">[];
  /** The databases on which statements may run. */
  readonly sources: () => readonly DatabaseSource[];
  readonly log: Log;
  /** Closes all other parts of the server. */
  readonly closeRest: () => Promise<void>;
}

/** Time in milliseconds for responding to cancelled requests and for closing the remaining parts. */
const closeTimeout = 1000;
/** Part of the timeout in milliseconds that is reserved for releasing claimed events. */
const releaseTime = 500;
/**
 * Interval between cancellations in milliseconds. They are repeated because cancelled work may send further statements.
 */
const cancelInterval = 50;

/**
 * Shuts the server down. Resolves soon after the deadline at the latest, even if work hangs, so that the process can
 * exit.
 */
export async function shutDown(parts: ShutdownParts): Promise<void> {
  const { timeoutSeconds, health, app, delivering, log, closeRest } = parts;
  health.stop();
  let isOver = false;
  const patience = Math.max(0, timeoutSeconds * 1000 - releaseTime);
  const delivered = delivering.map((each) => each.stop(patience));
  const closed = Promise.all([app.close(), ...delivered]);
  const ended = closed.then(closeRest).finally(() => {
    isOver = true;
  });
  ended.catch(() => undefined); // A rejection after the timeouts below is ignored.
  const isDone = ended.then(() => true);
  if (await within(isDone, timeoutSeconds * 1000, false)) return;
  log.warn("unstructured", {
    message: `work was cut off after ${timeoutSeconds} seconds of shutdown`,
    requests: app.inProgress(),
  });
  const cancelling = cancelUntil(parts, () => isOver);
  await within(closed, closeTimeout, undefined);
  app.terminate();
  await within(ended, closeTimeout, undefined);
  isOver = true;
  await within(cancelling, closeTimeout, undefined);
}

const cutOff = new EngineError("unexpected", "$", "the server is shutting down", { status: 503 });

/** Cancels statements until the end, so that their transactions roll back and their callers receive an error. */
async function cancelUntil({ sources, log }: ShutdownParts, isOver: () => boolean): Promise<void> {
  let statements = 0;
  while (!isOver()) {
    // An unreachable database cancels statements itself when their connections close.
    const counts = await Promise.all(sources().map((source) => source.cancelAll(cutOff).catch(() => 0)));
    statements += counts.reduce((sum, count) => sum + count, 0);
    await new Promise((resolve) => setTimeout(resolve, cancelInterval));
  }
  if (statements > 0) log.warn("unstructured", { message: `${statements} statements were cancelled at shutdown` });
}

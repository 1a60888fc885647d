/**
 * Keeps an instance up to date: serves metadata stored by other instances (on notifications of the metadata database, and by
 * polling), and retries unreachable sources and remote schemas.
 */

import type { Log } from "../observe/logs/log.ts";
import { EngineError } from "../values/errors.ts";
import { messageOf } from "../values/message-of.ts";
import type { ControlPlane } from "./control-plane.ts";
import type { MetadataStore } from "./store.ts";

export interface SchemaSyncSettings {
  readonly control: ControlPlane;
  readonly store: MetadataStore;
  /** `ENGINE_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL`; 0 disables synchronization with other instances. */
  readonly pollMilliseconds: number;
  /** `ENGINE_GRAPHQL_REMOTE_SCHEMA_HEALING_INTERVAL`; 0 disables retries of remote schemas. */
  readonly healingMilliseconds: number;
  /** Duration of the first compilation, which is an estimate for later compilations. */
  readonly startMilliseconds: number;
  readonly log: Log;
  /** Called when another process lists the instances. */
  readonly onCall: () => void;
}

export interface SchemaSync {
  /** Stops all tasks. Resolves when those in progress have ended. */
  stop(): Promise<void>;
}

/** Interval between retries of unreachable sources. */
const retrySourcesMilliseconds = 5_000;

export function startSchemaSync(settings: SchemaSyncSettings): SchemaSync {
  const { control, store, pollMilliseconds, healingMilliseconds, log, onCall } = settings;
  const tasks = [repeat(retrySourcesMilliseconds, () => control.retrySources(), reportOnce(log))];
  if (healingMilliseconds > 0) {
    const healing = new RemoteHealing(healingMilliseconds);
    const heal = repeat(healingMilliseconds, () => healing.run(control), reportOnce(log));
    // The start may have used stored shapes without waiting for the servers.
    heal.now();
    tasks.push(heal);
  }
  const turn = new FollowerTurn(settings.startMilliseconds);
  if (pollMilliseconds > 0) {
    const poll = repeat(pollMilliseconds, () => follow(control, turn), reportOnce(log));
    tasks.push(poll, listen(store, poll.now, onCall));
  }
  return {
    stop: async () => {
      turn.stop();
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}

async function follow(control: Pick<ControlPlane, "isBehind" | "synchronise">, turn: FollowerTurn): Promise<void> {
  if (!(await control.isBehind())) return;
  await turn.wait();
  await turn.take(() => control.synchronise());
}

interface Task {
  now(): void;
  stop(): Promise<void>;
}

/** Runs `work` repeatedly, with an interval between runs. `now` skips the interval. */
function repeat(milliseconds: number, work: () => Promise<void>, report: (error?: unknown) => void): Task {
  let stopped = false;
  let timer: NodeJS.Timeout;
  let running: Promise<void> = Promise.resolve();
  const schedule = (delay: number): void => {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(() => {
      running = work()
        .then(() => report(), report)
        .finally(() => schedule(milliseconds));
    }, delay);
  };
  schedule(milliseconds);
  return {
    now: () => schedule(0),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}

/** Listens for notifications of the metadata database. Polling compensates for missed notifications. */
function listen(store: MetadataStore, onChange: () => void, onCall: () => void): Task {
  return { now: onChange, stop: store.listen(onChange, onCall) };
}

/** Returns a function that logs the recovery of a task and each error that differs from the last one. */
function reportOnce(log: Log): (error?: unknown) => void {
  let last: string | undefined;
  return (error) => {
    const text = error === undefined ? undefined : textOf(error);
    if (text === last) return;
    last = text;
    if (text === undefined) log.info("schema-sync", { thread_type: "processor", info: "SchemaSync Restored..." });
    else log.error("schema-sync", { thread_type: "processor", error: text });
  };
}

/** Returns the message of an error, with the driver's message if there is one. */
function textOf(error: unknown): string {
  if (error instanceof EngineError && typeof error.internal === "string") return `${error.message}: ${error.internal}`;
  return messageOf(error);
}

const maxBackoffMilliseconds = 120_000;

interface Backoff {
  readonly waitMilliseconds: number;
  readonly dueAt: number;
}

/** Retries unreachable remote schemas with exponential backoff, up to two minutes. */
export class RemoteHealing {
  readonly #firstMilliseconds: number;
  readonly #now: () => number;
  /** Backoff of each unreachable remote schema. */
  readonly #backoffs = new Map<string, Backoff>();

  constructor(firstMilliseconds: number, now: () => number = () => performance.now()) {
    this.#firstMilliseconds = firstMilliseconds;
    this.#now = now;
  }

  /** Retries remote schemas that are due. */
  async run(control: Pick<ControlPlane, "retryRemoteSchemas">): Promise<void> {
    const unreachable = await control.retryRemoteSchemas(
      (name) => (this.#backoffs.get(name)?.dueAt ?? 0) <= this.#now(),
    );
    const before = new Map(this.#backoffs);
    for (const [name, { dueAt }] of before) if (dueAt <= this.#now()) this.#backoffs.delete(name);
    for (const name of unreachable) {
      const wait = (before.get(name)?.waitMilliseconds ?? this.#firstMilliseconds / 2) * 2;
      const waitMilliseconds = Math.min(wait, Math.max(maxBackoffMilliseconds, this.#firstMilliseconds));
      this.#backoffs.set(name, { waitMilliseconds, dueAt: this.#now() + waitMilliseconds });
    }
  }
}

/** Duration below which compilations need not be spread, in milliseconds. */
const minSpreadDuration = 250;
const maxWaitMilliseconds = 10_000;

/**
 * Spreads the adoption of new metadata by many instances over time, since each introspects its databases and compiles. The
 * random wait is at most as long as the last compilation, so that small metadata is adopted at once.
 */
export class FollowerTurn {
  #milliseconds: number;
  readonly #random: () => number;
  #stop: () => void = () => undefined;
  #isStopped = false;

  /**
   * @param milliseconds duration of the last compilation
   * @param random returns numbers from 0 to 1
   */
  constructor(milliseconds: number, random: () => number = Math.random) {
    this.#milliseconds = milliseconds;
    this.#random = random;
  }

  /** Resolves when it is this instance's turn, or after `stop`. */
  wait(): Promise<void> {
    if (this.#isStopped || this.#milliseconds < minSpreadDuration) return Promise.resolve();
    const wait = this.#random() * Math.min(this.#milliseconds, maxWaitMilliseconds);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, wait);
      this.#stop = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Runs `work` and measures its duration, for the next wait. */
  async take(work: () => Promise<void>): Promise<void> {
    const start = performance.now();
    await work();
    this.#milliseconds = performance.now() - start;
  }

  /** Ends the wait in progress and all later ones. */
  stop(): void {
    this.#isStopped = true;
    this.#stop();
  }
}

/**
 * Keeps an instance up to date between changes of its own: takes over what other instances store (told by the metadata
 * database, and asked for in intervals), and tries sources and servers of remote schemas again that could not be reached.
 */
import type { Log } from "../observe/logs/log.ts";
import { EngineError } from "../values/errors.ts";
import type { ControlPlane } from "./control-plane.ts";
import { FollowerTurn } from "./follower-turn.ts";
import { RemoteHealing } from "./remote-healing.ts";
import type { MetadataStore } from "./store.ts";

export interface SchemaSyncSettings {
  readonly control: ControlPlane;
  readonly store: MetadataStore;
  /** `ENGINE_GRAPHQL_SCHEMA_SYNC_POLL_INTERVAL`; 0: other instances are not looked for. */
  readonly pollMilliseconds: number;
  /** `ENGINE_GRAPHQL_REMOTE_SCHEMA_HEALING_INTERVAL`; 0: servers of remote schemas are not asked again. */
  readonly healingMilliseconds: number;
  /** How long it took to make what is served at first: instances that follow others later take about as long. */
  readonly startMilliseconds: number;
  readonly log: Log;
}

export interface SchemaSync {
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

/** How often a source that could not be reached is tried again. */
const retrySourcesMilliseconds = 5_000;

export function startSchemaSync(settings: SchemaSyncSettings): SchemaSync {
  const { control, store, pollMilliseconds, healingMilliseconds, log } = settings;
  const tasks = [repeat(retrySourcesMilliseconds, () => control.retrySources(), reportOnce(log))];
  if (healingMilliseconds > 0) {
    const healing = new RemoteHealing(healingMilliseconds);
    const heal = repeat(healingMilliseconds, () => healing.run(control), reportOnce(log));
    // A start does not wait long for servers whose last answer is kept.
    heal.now();
    tasks.push(heal);
  }
  const turn = new FollowerTurn(settings.startMilliseconds);
  if (pollMilliseconds > 0) {
    const poll = repeat(pollMilliseconds, () => follow(control, turn), reportOnce(log));
    tasks.push(poll, listen(store, poll.now));
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

/** Runs `work` again and again, the interval after it ended; `now` does not wait for the interval. */
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

/** Waits for word of the metadata database; polling goes on beside it and covers what is missed. */
function listen(store: MetadataStore, onChange: () => void): Task {
  return { now: onChange, stop: store.listen(onChange) };
}

/** Logs an error of one task once, and when it is over. */
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

/** With the driver's words, where there are some. */
function textOf(error: unknown): string {
  if (error instanceof EngineError && typeof error.internal === "string") return `${error.message}: ${error.internal}`;
  return error instanceof Error ? error.message : String(error);
}

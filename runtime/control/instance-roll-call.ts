/**
 * Lists the instances that share the metadata database, and their workers, for `get_instances`. No table is written: the
 * process that receives the operation notifies all others through the database, and each responds with a notification. An
 * idle server has no costs, and a process that does not respond is listed as such for some minutes.
 */
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Siblings } from "../ports/siblings.ts";
import { within } from "../values/timer.ts";
import type { MetadataStore } from "./store.ts";

/** One process of an instance. */
interface InstanceProcess {
  readonly id: string;
  /** Shared by the workers of an instance. */
  readonly instance_id: string;
  readonly host: string;
  readonly process_id: number;
  readonly version: string;
  /** ISO 8601. */
  readonly started_at: string;
  /** Version of the metadata that the process serves. */
  readonly resource_version: number;
  /** Number of the worker, from 1, and the number of workers; both 1 without workers. */
  readonly worker: number;
  readonly workers: number;
}

interface OwnProcess {
  readonly id: string;
  readonly version: string;
  readonly siblings: Pick<Siblings, "instance" | "worker" | "workers"> | undefined;
  readonly resourceVersion: () => number;
}

/** Returns a function that describes this process, which has just started. */
export function ownProcess({ id, version, siblings, resourceVersion }: OwnProcess): () => InstanceProcess {
  const { instance: instance_id = id, worker = 1, workers = 1 } = siblings ?? {};
  const fixed = { id, instance_id, host: hostname(), process_id: process.pid, version };
  const started_at = new Date().toISOString();
  return () => ({ ...fixed, started_at, resource_version: resourceVersion(), worker, workers });
}

interface ListedProcess extends InstanceProcess {
  /** True for the process that returns the list. */
  readonly is_this: boolean;
  readonly is_responding: boolean;
  /** ISO 8601. */
  readonly last_response_at: string;
}

interface RollCallParts {
  readonly store: Pick<MetadataStore, "callAll" | "listenTo" | "query">;
  readonly own: () => InstanceProcess;
  readonly times?: RollCallTimes;
}

/** In milliseconds. */
interface RollCallTimes {
  /** Timeout of the connection that receives the responses. */
  readonly connect: number;
  /** Time that the other processes have to respond. */
  readonly wait: number;
  /** Interval between two responses, so that floods of requests cost little. */
  readonly pause: number;
  /** Time during which a process that does not respond stays on the list. */
  readonly memory: number;
}

const rollCallTimes: RollCallTimes = { connect: 2000, wait: 700, pause: 100, memory: 300_000 };

const channel = "engine_instances";

/** Any user of the database can send notifications, so that their number and sizes are limited. */
const maxProcesses = 500;
const maxTextLength = 255;

export class InstanceRollCall {
  readonly #parts: RollCallParts;
  readonly #times: RollCallTimes;
  readonly #known = new Map<string, { readonly process: InstanceProcess; readonly at: number }>();
  #running: Promise<readonly ListedProcess[]> | undefined;
  #response: Promise<void> | undefined;

  constructor(parts: RollCallParts) {
    this.#parts = parts;
    this.#times = parts.times ?? rollCallTimes;
  }

  /** Returns all processes. Concurrent calls share one list. */
  list(): Promise<readonly ListedProcess[]> {
    this.#running ??= this.#list().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Sends the state of this process to those that list them, at most once per pause. Never rejects. */
  respond(): void {
    this.#response ??= this.#respond().finally(() => {
      this.#response = undefined;
    });
  }

  async #respond(): Promise<void> {
    await delay(this.#times.pause, undefined, { ref: false });
    const text = JSON.stringify(this.#parts.own());
    await this.#parts.store.query("select pg_notify($1, $2)", [channel, text]).catch(() => undefined); // listed as silent
  }

  async #list(): Promise<readonly ListedProcess[]> {
    const { store, own } = this.#parts;
    const start = Date.now();
    let listens = (_isListening: boolean): void => undefined;
    const listening = new Promise<boolean>((resolve) => {
      listens = resolve;
    });
    const stop = store.listenTo(channel, (payload) => {
      if (payload === undefined) listens(true);
      else this.#note(payload);
    });
    if (await within(listening, this.#times.connect, false)) {
      // Without a connection, only this process is listed.
      await store.callAll().catch(() => undefined);
      await delay(this.#times.wait);
    }
    await stop();
    const self = own();
    this.#known.set(self.id, { process: self, at: Date.now() });
    for (const [id, { at }] of this.#known) if (start - at > this.#times.memory) this.#known.delete(id);
    return [...this.#known.values()]
      .map(({ process, at }) => ({
        ...process,
        is_this: process.id === self.id,
        is_responding: at >= start,
        last_response_at: new Date(at).toISOString(),
      }))
      .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  }

  #note(payload: string): void {
    const process = readProcess(payload);
    if (process === undefined || (this.#known.size >= maxProcesses && !this.#known.has(process.id))) return;
    this.#known.set(process.id, { process, at: Date.now() });
  }
}

const placeOf = ({ host, instance_id, worker, id }: InstanceProcess): string =>
  [host, instance_id, String(worker).padStart(4, "0"), id].join("\n");

/** Returns the process of a notification; `undefined` if it has another form. */
function readProcess(payload: string): InstanceProcess | undefined {
  let found: unknown;
  try {
    found = JSON.parse(payload);
  } catch {
    return undefined;
  }
  if (typeof found !== "object" || found === null) return undefined;
  const given = found as Readonly<Record<string, unknown>>;
  const text = (name: string): string | undefined => {
    const value = given[name];
    return typeof value === "string" && value !== "" && value.length <= maxTextLength ? value : undefined;
  };
  const number = (name: string): number | undefined => {
    const value = given[name];
    return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
  };
  const process = {
    id: text("id"),
    instance_id: text("instance_id"),
    host: text("host"),
    process_id: number("process_id"),
    version: text("version"),
    started_at: text("started_at"),
    resource_version: number("resource_version"),
    worker: number("worker"),
    workers: number("workers"),
  };
  return Object.values(process).includes(undefined) ? undefined : (process as InstanceProcess);
}

/**
 * The first process of a server with several processes (`--workers`). It starts the workers that serve requests,
 * replaces workers that have ended, distributes connections, and performs tasks that run once per server. It serves no
 * requests itself.
 */

import { randomUUID } from "node:crypto";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Options } from "../../config/option-table.ts";
import { RateLimiter } from "../../execute/guard/rate-limiter.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { LogOutput } from "../../observe/logs/standard-output.ts";
import { logServerStarted } from "../../observe/logs/startup-log.ts";
import { EngineError } from "../../values/errors.ts";
import { within } from "../../values/timer.ts";
import { AddedMetrics, type Metered } from "./added-metrics.ts";
import type { PrimaryCalls } from "./calls.ts";
import { ChangeTurns, type Follower } from "./change-turns.ts";
import { Distributor } from "./distributor.ts";
import { WholeLines } from "./whole-lines.ts";
import { type Ended, WorkerProcess, type WorkerProgram } from "./worker-process.ts";

export interface PrimarySettings<Settings> {
  readonly options: Pick<Options, "workers" | "serverHost" | "serverPort" | "gracefulShutdownTimeoutSeconds">;
  readonly log: Log;
  /** Receives the log of the workers. */
  readonly output: LogOutput;
  readonly program: WorkerProgram;
  readonly environment: NodeJS.ProcessEnv;
  /** JSON settings passed to each worker. */
  readonly settings: Settings;
}

export interface Primary {
  readonly port: number;
  /** Shuts down all workers gracefully, within the time limit of the options. */
  close(): Promise<void>;
}

/** Serving time in milliseconds after which the end of a worker does not count as a failed start. */
const stableAfter = 10_000;
/** Initial and maximum delay in milliseconds before a failed worker is restarted, doubled each time. */
const firstDelay = 1000;
const maxDelay = 30_000;
/** Additional time in milliseconds beyond the shutdown time limit for workers to exit by themselves. */
const shutdownGrace = 5000;
/** Timeout in milliseconds for the data that a serving worker passes to a starting worker. */
const handTimeout = 5000;

/**
 * Starts the server. Resolves when all workers serve. The first worker starts alone, so that the other workers find the
 * tables of the metadata database and the shapes that it has read.
 * @throws EngineError if a worker ends before it serves; ConfigurationError if workers are not permitted. No process is
 * left running then
 */
export async function startPrimary<Settings>(settings: PrimarySettings<Settings>): Promise<Primary> {
  // Applies if Node's permission model is enabled.
  if (process.permission?.has("child") === false) {
    throw new ConfigurationError([
      { setting: null, message: "--workers needs permission to start processes: --allow-child-process" },
    ]);
  }
  const since = performance.now();
  const pool = new WorkerPool(settings);
  try {
    await pool.start();
    const port = await pool.distributor.listen(settings.options);
    logServerStarted(settings.log, (performance.now() - since) / 1000);
    return { port, close: () => pool.close() };
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** A slot for a worker: its process and the number of consecutive failures. */
interface Slot<Settings> {
  readonly number: number;
  member: Member<Settings> | undefined;
  failures: number;
}

/** Adapts a worker process to the interfaces of the primary's parts. */
class Member<Settings> implements Follower, Metered {
  readonly process: WorkerProcess<Settings>;
  constructor(process: WorkerProcess<Settings>) {
    this.process = process;
  }
  get readySince(): number | null {
    return this.process.readySince;
  }
  get ended(): Promise<Ended> {
    return this.process.ended;
  }
  follow(handed: object | null): Promise<number> {
    return this.process.link.call("follow", handed);
  }
  read(): ReturnType<Metered["read"]> {
    return this.process.link.call("read");
  }
  kill(): void {
    this.process.kill();
  }
}

class WorkerPool<Settings> {
  readonly distributor: Distributor;
  readonly #instance = randomUUID();
  readonly #settings: PrimarySettings<Settings>;
  readonly #slots: readonly Slot<Settings>[];
  readonly #turns: ChangeTurns;
  readonly #rates = new RateLimiter();
  readonly #metrics = new AddedMetrics();
  readonly #waits = new Set<NodeJS.Timeout>();
  /** True once the server has started. Until then, the end of a worker fails the start. */
  #isStarted = false;
  #isClosing = false;

  constructor(settings: PrimarySettings<Settings>) {
    this.#settings = settings;
    const { workers } = settings.options;
    this.#slots = Array.from({ length: workers }, (_, index) => ({
      number: index + 1,
      member: undefined,
      failures: 0,
    }));
    this.distributor = new Distributor(() => this.#serving().map(({ process }) => process));
    this.#turns = new ChangeTurns({
      followers: () => this.#serving(),
      failed: (follower, reason) => {
        const worker = this.#slots.find(({ member }) => member === follower)?.number;
        const message = `killed worker ${worker} because it did not apply a metadata change: ${reason}`;
        settings.log.error("unstructured", { message, worker });
      },
    });
    // A second signal ends this process immediately.
    process.once("exit", () => this.#killAll());
  }

  async start(): Promise<void> {
    const [first, ...others] = this.#slots;
    if (first !== undefined) await this.#open(first);
    await Promise.all(others.map((slot) => this.#open(slot)));
    this.#isStarted = true;
    // A worker may have ended while other workers started.
    for (const slot of this.#slots) if (slot.member === undefined) this.#reopen(slot);
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.distributor.close();
    for (const wait of this.#waits) clearTimeout(wait);
    const members = this.#members();
    for (const { process } of members) {
      process.readySince = null;
      process.link.call("stop").catch(() => undefined); // the worker has ended
    }
    const ended = Promise.all(members.map((member) => member.ended));
    const timeout = this.#settings.options.gracefulShutdownTimeoutSeconds * 1000 + shutdownGrace;
    await within(ended, timeout, undefined);
    this.#killAll();
    await ended;
  }

  #members(): readonly Member<Settings>[] {
    return this.#slots.flatMap(({ member }) => (member === undefined ? [] : [member]));
  }

  #serving(): readonly Member<Settings>[] {
    return this.#members().filter(({ readySince }) => readySince !== null);
  }

  #killAll(): void {
    for (const { process } of this.#members()) process.kill();
  }

  /**
   * Starts a worker in a slot. Resolves when it serves.
   * @throws EngineError if the worker ends before it serves
   */
  async #open(slot: Slot<Settings>): Promise<void> {
    const { program, environment, output, settings, options } = this.#settings;
    const lines = new WholeLines((line) => output.write(line));
    let ready = (): void => undefined;
    const isReady = new Promise<void>((resolve) => {
      ready = resolve;
    });
    const member: Member<Settings> = new Member(
      new WorkerProcess<Settings>({
        number: slot.number,
        program,
        environment,
        output: (text) => lines.add(text),
        calls: this.#answers(() => member, ready),
      }),
    );
    slot.member = member;
    const gone = member.ended.then((ended) => {
      lines.end();
      this.#onEnd(slot, member, ended);
      const message = `worker ${slot.number} ended before it served (${endText(ended)})`;
      throw new EngineError("start-failed", "$", message);
    });
    gone.catch(() => undefined); // after the worker has served, its end does not fail the start
    const { number: worker } = slot;
    const start = { instance: this.#instance, worker, workers: options.workers, delivers: worker === 1, settings };
    member.process.link.call("start", start).catch(() => undefined); // the worker has ended, which is logged
    await Promise.race([isReady, gone]);
  }

  #reopen(slot: Slot<Settings>): void {
    this.#open(slot).catch(() => undefined); // the end of a worker is logged in any case
  }

  #answers(self: () => Member<Settings>, ready: () => void): PrimaryCalls {
    return {
      ready: async (version) => {
        const member = self();
        if (version !== null) await this.#turns.enter(member, version);
        if (this.#isClosing) return;
        member.process.readySince = performance.now();
        ready();
        this.distributor.retry();
      },
      leave: () => {
        self().process.readySince = null;
      },
      beginChange: () => this.#turns.begin(self()),
      endChange: ({ version, handed }) => this.#turns.end(self(), version, handed),
      handed: async () => {
        const [serving] = this.#serving();
        if (serving === undefined) return null;
        return within(serving.process.link.call("hand"), handTimeout, null).catch(() => null);
      },
      takeRate: ({ client, operations, perMinute }) => this.#rates.take(client, operations, perMinute),
      readAll: () => this.#metrics.read(this.#serving()),
      clearAll: async (cleared) => {
        // Ended workers have no cache.
        await Promise.all(
          this.#serving().map(({ process }) => process.link.call("clear", cleared).catch(() => undefined)),
        );
      },
    };
  }

  #onEnd(slot: Slot<Settings>, member: Member<Settings>, ended: Ended): void {
    const { process, readySince } = member;
    process.readySince = null;
    slot.member = undefined;
    this.#metrics.remove(member);
    void this.#turns.remove(member);
    const left = process.takeBack();
    if (this.#isClosing) {
      for (const connection of left) connection.destroy();
      return;
    }
    this.distributor.distribute(left);
    if (this.#isStarted) this.#replace(slot, readySince, ended);
  }

  #replace(slot: Slot<Settings>, readySince: number | null, ended: Ended): void {
    const { log } = this.#settings;
    const isStable = readySince !== null && performance.now() - readySince > stableAfter;
    slot.failures = isStable ? 0 : slot.failures + 1;
    // The first failure is followed by an immediate restart.
    const wait = slot.failures < 2 ? 0 : Math.min(maxDelay, firstDelay * 2 ** (slot.failures - 2));
    const message = `worker ${slot.number} ended (${endText(ended)}); starting a replacement`;
    const level = ended.code === 0 ? "warn" : "error";
    log[level]("unstructured", { message, worker: slot.number, ...ended, wait_seconds: wait / 1000 });
    const timer = setTimeout(() => {
      this.#waits.delete(timer);
      this.#reopen(slot);
    }, wait);
    this.#waits.add(timer);
  }
}

function endText({ code, signal }: Ended): string {
  if (signal !== null) return `signal ${signal}`;
  return code === null ? "the process could not be started" : `exit code ${code}`;
}

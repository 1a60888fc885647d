/**
 * The first process of a server that runs in several (`--workers`): it starts workers, which serve, replaces those that
 * end, gives them the connections, and does for all of them what is to be done once. It serves nothing itself.
 */

import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Options } from "../../config/option-table.ts";
import { RateLimiter } from "../../execute/guard/rate-limiter.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { LogOutput } from "../../observe/logs/standard-output.ts";
import { logServerStarted } from "../../observe/logs/startup-log.ts";
import { EngineError } from "../../values/errors.ts";
import { within } from "../../values/within.ts";
import { AddedMetrics, type Metered } from "./added-metrics.ts";
import type { PrimaryCalls } from "./calls.ts";
import { ChangeTurns, type Follower } from "./change-turns.ts";
import { Distributor } from "./distributor.ts";
import { WholeLines } from "./whole-lines.ts";
import { type Ended, WorkerProcess, type WorkerProgram } from "./worker-process.ts";

export interface PrimarySettings<Settings> {
  readonly options: Pick<Options, "workers" | "serverHost" | "serverPort" | "gracefulShutdownTimeoutSeconds">;
  readonly log: Log;
  /** Takes the log of the workers. */
  readonly output: LogOutput;
  readonly program: WorkerProgram;
  readonly environment: NodeJS.ProcessEnv;
  /** What each worker is handed. JSON. */
  readonly settings: Settings;
}

export interface Primary {
  readonly port: number;
  /** Lets all workers finish what is under way, until the time limit of the options. */
  close(): Promise<void>;
}

/** In milliseconds: a worker that served for so long did not fail at its start. */
const steady = 10_000;
/** In milliseconds: the wait before a worker is started again that failed at once; twice as long each time. */
const firstWait = 1000;
const longestWait = 30_000;
/** In milliseconds, beyond the time limit of the options: by then every worker has ended by itself. */
const farewell = 5000;
/** In milliseconds: a worker that starts does not wait longer for what another one knows. */
const handing = 5000;

/**
 * Resolves when all workers serve. The first one starts alone: what it makes (tables of the metadata database, what it
 * reads of the databases) the others find.
 * @throws EngineError where a worker ends before it serves, ConfigurationError where there can be none; then nothing is
 * left running
 */
export async function startPrimary<Settings>(settings: PrimarySettings<Settings>): Promise<Primary> {
  // Where Node's permission model is on.
  if (process.permission?.has("child") === false) {
    throw new ConfigurationError([
      { setting: null, message: "--workers needs leave to start processes: --allow-child-process" },
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

/** One place for a worker: the process that has it, and how often one failed there in a row. */
interface Place<Settings> {
  readonly number: number;
  member: Member<Settings> | undefined;
  failures: number;
}

/** A worker in the shapes in which the parts of the primary know it. */
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
  readonly #settings: PrimarySettings<Settings>;
  readonly #places: readonly Place<Settings>[];
  readonly #turns: ChangeTurns;
  readonly #rates = new RateLimiter();
  readonly #metrics = new AddedMetrics();
  readonly #waits = new Set<NodeJS.Timeout>();
  /** Until then a worker that ends makes the start fail. */
  #isStarted = false;
  #isClosing = false;

  constructor(settings: PrimarySettings<Settings>) {
    this.#settings = settings;
    const { workers } = settings.options;
    this.#places = Array.from({ length: workers }, (_, index) => ({
      number: index + 1,
      member: undefined,
      failures: 0,
    }));
    this.distributor = new Distributor(() => this.#serving().map(({ process }) => process));
    this.#turns = new ChangeTurns({
      followers: () => this.#serving(),
      failed: (follower, reason) => {
        const worker = this.#places.find(({ member }) => member === follower)?.number;
        const message = `worker ${worker} is ended, because it does not serve a change of the metadata: ${reason}`;
        settings.log.error("unstructured", { message, worker });
      },
    });
    // A second signal ends this process at once.
    process.once("exit", () => this.#killAll());
  }

  async start(): Promise<void> {
    const [first, ...others] = this.#places;
    if (first !== undefined) await this.#open(first);
    await Promise.all(others.map((place) => this.#open(place)));
    this.#isStarted = true;
    // One may have ended while the others started.
    for (const place of this.#places) if (place.member === undefined) this.#reopen(place);
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.distributor.close();
    for (const wait of this.#waits) clearTimeout(wait);
    const members = this.#members();
    for (const { process } of members) {
      process.readySince = null;
      process.link.call("stop").catch(() => undefined); // it has ended
    }
    const ended = Promise.all(members.map((member) => member.ended));
    const patience = this.#settings.options.gracefulShutdownTimeoutSeconds * 1000 + farewell;
    await within(ended, patience, undefined);
    this.#killAll();
    await ended;
  }

  #members(): readonly Member<Settings>[] {
    return this.#places.flatMap(({ member }) => (member === undefined ? [] : [member]));
  }

  #serving(): readonly Member<Settings>[] {
    return this.#members().filter(({ readySince }) => readySince !== null);
  }

  #killAll(): void {
    for (const { process } of this.#members()) process.kill();
  }

  /** Resolves when a worker serves in this place. @throws EngineError where it ends before */
  async #open(place: Place<Settings>): Promise<void> {
    const { program, environment, output, settings, options } = this.#settings;
    const lines = new WholeLines((line) => output.write(line));
    let ready = (): void => undefined;
    const isReady = new Promise<void>((resolve) => {
      ready = resolve;
    });
    const member: Member<Settings> = new Member(
      new WorkerProcess<Settings>({
        number: place.number,
        program,
        environment,
        output: (text) => lines.add(text),
        answers: this.#answers(() => member, ready),
      }),
    );
    place.member = member;
    const gone = member.ended.then((ended) => {
      lines.end();
      this.#gone(place, member, ended);
      const message = `worker ${place.number} ended before it served, ${endText(ended)}`;
      throw new EngineError("start-failed", "$", message);
    });
    gone.catch(() => undefined); // after it has served, the end is no failure of the start
    const start = { worker: place.number, workers: options.workers, delivers: place.number === 1, settings };
    member.process.link.call("start", start).catch(() => undefined); // it has ended, which is told
    await Promise.race([isReady, gone]);
  }

  #reopen(place: Place<Settings>): void {
    this.#open(place).catch(() => undefined); // that it ended before it served is told as every other end
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
        return within(serving.process.link.call("hand"), handing, null).catch(() => null);
      },
      takeRate: ({ client, operations, perMinute }) => this.#rates.take(client, operations, perMinute),
      readAll: () => this.#metrics.read(this.#serving()),
      clearAll: async (cleared) => {
        // Of a worker that is gone nothing is kept.
        await Promise.all(
          this.#serving().map(({ process }) => process.link.call("clear", cleared).catch(() => undefined)),
        );
      },
    };
  }

  #gone(place: Place<Settings>, member: Member<Settings>, ended: Ended): void {
    const { process, readySince } = member;
    process.readySince = null;
    place.member = undefined;
    this.#metrics.gone(member);
    void this.#turns.gone(member);
    const left = process.takeBack();
    if (this.#isClosing) {
      for (const connection of left) connection.destroy();
      return;
    }
    this.distributor.distribute(left);
    if (this.#isStarted) this.#replace(place, readySince, ended);
  }

  #replace(place: Place<Settings>, readySince: number | null, ended: Ended): void {
    const { log } = this.#settings;
    const isSteady = readySince !== null && performance.now() - readySince > steady;
    place.failures = isSteady ? 0 : place.failures + 1;
    // The first that fails is replaced at once.
    const wait = place.failures < 2 ? 0 : Math.min(longestWait, firstWait * 2 ** (place.failures - 2));
    const message = `worker ${place.number} ended, ${endText(ended)}: another one is started`;
    const level = ended.code === 0 ? "warn" : "error";
    log[level]("unstructured", { message, worker: place.number, ...ended, wait_seconds: wait / 1000 });
    const timer = setTimeout(() => {
      this.#waits.delete(timer);
      this.#reopen(place);
    }, wait);
    this.#waits.add(timer);
  }
}

function endText({ code, signal }: Ended): string {
  if (signal !== null) return `by signal ${signal}`;
  return code === null ? "because its process could not be started" : `with exit code ${code}`;
}

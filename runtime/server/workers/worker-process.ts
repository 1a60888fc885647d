/** A worker as the primary sees it: a process, the connections that it has, and whether it can serve. */
import { type ChildProcess, fork } from "node:child_process";
import type { Socket } from "node:net";
import type { PrimaryCalls, WorkerCalls } from "./calls.ts";
import { type Channel, Link } from "./link.ts";
import { workerVariable } from "./worker.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What a worker runs. */
export interface WorkerProgram {
  readonly file: string;
  readonly args: readonly string[];
}

export interface WorkerProcessSettings {
  /** From 1; the worker that replaces it has the same. */
  readonly number: number;
  readonly program: WorkerProgram;
  readonly environment: NodeJS.ProcessEnv;
  /** Told what it writes to standard output. */
  readonly output: (text: string) => void;
  /** What it may ask. */
  readonly answers: PrimaryCalls;
}

/** In milliseconds: a worker that takes no connection for so long gets no further one while there are others. */
const longestTaking = 1000;

export class WorkerProcess<Settings> {
  readonly number: number;
  readonly link: Link<WorkerCalls<Settings>, PrimaryCalls>;
  /** Resolves when the process has ended and all that it wrote has been read. */
  readonly ended: Promise<Ended>;
  /** Since when it can serve, by the clock of `performance.now`; `null`: it cannot yet, or not any more. */
  readySince: number | null = null;
  readonly #child: ChildProcess;
  /** Given to it and not taken yet, oldest first. */
  #given: { readonly connection: Socket; readonly at: number }[] = [];
  #open = 0;

  constructor({ number, program: { file, args }, environment, output, answers }: WorkerProcessSettings) {
    this.number = number;
    this.#child = fork(file, args, {
      // One port of an inspector is not for several processes.
      execArgv: process.execArgv.filter((flag) => !flag.startsWith("--inspect")),
      env: { ...environment, [workerVariable]: String(number) },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    this.#child.stdout?.setEncoding("utf8").on("data", output);
    this.ended = new Promise((resolve) => {
      this.#child.once("error", () => resolve({ code: null, signal: null }));
      this.#child.once("close", (code, signal) => resolve({ code, signal }));
    });
    this.link = new Link(this.#child as Channel, answers, {
      taken: () => this.#taken(),
      closed: () => {
        this.#open--;
      },
    });
    void this.ended.then(() => this.link.close());
  }

  /** Those that it has, or is about to have. */
  get connections(): number {
    return this.#open + this.#given.length;
  }

  /** It stands still, or has so much to do that it does not take what it is given. */
  get isStuck(): boolean {
    const [oldest] = this.#given;
    return oldest !== undefined && performance.now() - oldest.at > longestTaking;
  }

  give(connection: Socket): void {
    this.#given.push({ connection, at: performance.now() });
    this.link.give(connection);
  }

  /** Ends the process at once. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** @returns the connections of which it has read nothing, now that it is gone */
  takeBack(): readonly Socket[] {
    return this.#given.splice(0).map(({ connection }) => connection);
  }

  #taken(): void {
    this.#open++;
    // The worker has its own descriptor of it.
    this.#given.shift()?.connection.destroy();
  }
}

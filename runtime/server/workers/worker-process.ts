/** A worker in the primary: its process, its connections, and its readiness. */
import { type ChildProcess, fork } from "node:child_process";
import type { Socket } from "node:net";
import type { PrimaryCalls, WorkerCalls } from "./calls.ts";
import { type Channel, Link } from "./link.ts";
import { workerVariable } from "./worker.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The program of a worker. */
export interface WorkerProgram {
  readonly file: string;
  readonly args: readonly string[];
}

export interface WorkerProcessSettings {
  /** Number from 1, which a replacement inherits. */
  readonly number: number;
  readonly program: WorkerProgram;
  readonly environment: NodeJS.ProcessEnv;
  /** Receives its standard output. */
  readonly output: (text: string) => void;
  /** Handles its calls. */
  readonly calls: PrimaryCalls;
}

/**
 * Maximum time in milliseconds for accepting a connection. While other workers are available, a slower worker receives
 * no further connections.
 */
const maxAcceptTime = 1000;

export class WorkerProcess<Settings> {
  readonly number: number;
  readonly link: Link<WorkerCalls<Settings>, PrimaryCalls>;
  /** Resolves when the process has ended and its output has been read. */
  readonly ended: Promise<Ended>;
  /** Time at which it became ready, on the clock of `performance.now`; `null` if it does not serve. */
  readySince: number | null = null;
  readonly #child: ChildProcess;
  /** Connections sent but not accepted yet, oldest first. */
  #pending: { readonly connection: Socket; readonly at: number }[] = [];
  #open = 0;

  constructor({ number, program: { file, args }, environment, output, calls: handlers }: WorkerProcessSettings) {
    this.number = number;
    this.#child = fork(file, args, {
      // Several processes cannot share an inspector port.
      execArgv: process.execArgv.filter((flag) => !flag.startsWith("--inspect")),
      env: { ...environment, [workerVariable]: String(number) },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    this.#child.stdout?.setEncoding("utf8").on("data", output);
    this.ended = new Promise((resolve) => {
      this.#child.once("error", () => resolve({ code: null, signal: null }));
      this.#child.once("close", (code, signal) => resolve({ code, signal }));
    });
    this.link = new Link(this.#child as Channel, handlers, {
      taken: () => this.#taken(),
      closed: () => {
        this.#open--;
      },
    });
    void this.ended.then(() => this.link.close());
  }

  /** Number of its connections, including those not accepted yet. */
  get connections(): number {
    return this.#open + this.#pending.length;
  }

  /** True if the worker is suspended or too busy to accept connections. */
  get isStuck(): boolean {
    const [oldest] = this.#pending;
    return oldest !== undefined && performance.now() - oldest.at > maxAcceptTime;
  }

  give(connection: Socket): void {
    this.#pending.push({ connection, at: performance.now() });
    this.link.give(connection);
  }

  /** Kills the process immediately. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Returns the connections from which an ended worker has read nothing. */
  takeBack(): readonly Socket[] {
    return this.#pending.splice(0).map(({ connection }) => connection);
  }

  #taken(): void {
    this.#open++;
    // The worker has its own descriptor of the connection.
    this.#pending.shift()?.connection.destroy();
  }
}

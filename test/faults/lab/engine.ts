/** Engines as processes: the built command, or a sealed artifact. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { servedPort } from "../../support/served-port.ts";
import { root } from "../../support/shared-checks.ts";
import { descriptors, residentBytes, signal } from "./processes.ts";

export interface EngineSettings {
  readonly environment?: Readonly<Record<string, string>>;
  /** Flags of Node. */
  readonly flags?: readonly string[];
  /** The program with its arguments; default: the live server. */
  readonly program?: readonly string[];
  readonly cwd?: string;
  /** Limit of open file descriptors (`ulimit -n`); default: that of this process. */
  readonly openFiles?: number;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export const liveServer = [join(root, ".build/engine.mjs"), "start"];
/** Maximum number of log lines kept. */
const keptLines = 5000;

export class Engine {
  readonly #settings: EngineSettings;
  readonly log: string[] = [];
  #child: ChildProcess | undefined;
  /** 0, meaning any free port, until the engine first serves. */
  #port = 0;

  private constructor(settings: EngineSettings) {
    this.#settings = settings;
  }

  /** Resolves when the engine serves requests. */
  static async start(settings: EngineSettings): Promise<Engine> {
    const engine = new Engine(settings);
    await engine.start();
    return engine;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts the process. A restart uses the same port. */
  async start(): Promise<void> {
    const { environment = {}, flags = [], program = liveServer, cwd = root, openFiles } = this.#settings;
    const command = [process.execPath, ...flags, ...program];
    const [file = "", ...args] =
      openFiles === undefined ? command : ["sh", "-c", `ulimit -n ${openFiles} && exec "$@"`, "sh", ...command];
    const child = spawn(file, args, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH ?? "",
        HOME: process.env.HOME ?? "/",
        ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1",
        ENGINE_GRAPHQL_SERVER_PORT: String(this.#port),
        ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "startup,websocket-log",
        ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "200",
        ENGINE_GRAPHQL_STREAMING_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "200",
        ...environment,
      },
    });
    this.#child = child;
    for (const output of [child.stdout, child.stderr]) {
      createInterface(output).on("line", (line) => {
        this.log.push(line);
        if (this.log.length > keptLines) this.log.shift();
      });
    }
    const late = delay(60_000, undefined, { ref: false }).then(() => Promise.reject(new Error("it takes too long")));
    try {
      this.#port = await Promise.race([servedPort(child), late]);
    } catch {
      throw new Error(`the engine did not start:\n${this.log.slice(-10).join("\n")}`);
    }
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Exit code or signal; `undefined` while the process runs. */
  get ended(): Ended | undefined {
    const child = this.#child;
    if (child === undefined || (child.exitCode === null && child.signalCode === null)) return undefined;
    return { code: child.exitCode, signal: child.signalCode };
  }

  signal(name: NodeJS.Signals): void {
    if (this.ended === undefined) signal(this.pid, name);
  }

  /** Sends the signal. Resolves when the process has ended. */
  async kill(name: NodeJS.Signals = "SIGKILL"): Promise<void> {
    if (this.#child === undefined || this.ended !== undefined) return;
    const gone = once(this.#child, "exit");
    this.signal(name);
    await gone;
  }

  /**
   * @throws Error with the response body, unless the request succeeds
   */
  async post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const answer = await fetch(`${this.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  memory(): Promise<number> {
    return residentBytes(this.pid);
  }

  descriptors(): Promise<number> {
    return descriptors(this.pid);
  }
}

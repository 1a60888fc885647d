/** The engine and the clients as processes, and their measurements from the kernel. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { WebSocket } from "ws";
import { servedPort } from "../../support/served-port.ts";
import { root } from "../../support/shared-checks.ts";
import type { ClientSettings, Order, Report, Seen } from "./messages.ts";

/** Unit of processor time in Linux: hundredths of a second. */
const ticksPerSecond = 100;

export interface ProcessorTime {
  /** Time in user mode. */
  readonly user: number;
  /** Time in kernel mode. */
  readonly system: number;
}

/** Returns the processor time of a process so far, in seconds; 0 if it has ended. */
export async function processorTime(pid: number): Promise<ProcessorTime> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { user: Number(fields[11] ?? 0) / ticksPerSecond, system: Number(fields[12] ?? 0) / ticksPerSecond };
}

/** Returns the processor time in user and kernel mode, in seconds. */
export async function processorSeconds(pid: number): Promise<number> {
  const { user, system } = await processorTime(pid);
  return user + system;
}

/**
 * Returns the processor time in milliseconds, with nanosecond resolution, for spans of few ticks. Threads that have
 * ended are not counted.
 */
export async function processorMilliseconds(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const times = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8")));
  return times.reduce((sum, time) => sum + Number.parseInt(time, 10), 0) / 1e6;
}

/** Returns the resident memory of a process in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

/** The inspector of a Node process, for heap sizes and profiles. */
export class Inspector {
  readonly #socket: WebSocket;
  #requests = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Connects. @param port port of the inspector */
  static async open(port: number): Promise<Inspector> {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
    const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
    const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
    await once(socket, "open");
    return new Inspector(socket);
  }

  /** Returns the bytes of heap in use after a garbage collection. */
  async heapBytes(): Promise<number> {
    await this.#ask("HeapProfiler.collectGarbage");
    const { usedSize } = (await this.#ask("Runtime.getHeapUsage")) as { usedSize: number };
    return usedSize;
  }

  async startProfile(): Promise<void> {
    await this.#ask("Profiler.enable");
    await this.#ask("Profiler.start");
  }

  /** Ends the profile. @returns contents of a `.cpuprofile` file */
  async stopProfile(): Promise<unknown> {
    const { profile } = (await this.#ask("Profiler.stop")) as { profile: unknown };
    return profile;
  }

  close(): void {
    this.#socket.close();
  }

  async #ask(method: string): Promise<unknown> {
    const id = ++this.#requests;
    this.#socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [data] = (await once(this.#socket, "message")) as [Buffer];
      const message = JSON.parse(data.toString("utf8")) as { id?: number; result: unknown };
      if (message.id === id) return message.result;
    }
  }
}

/** Returns the number of open sockets of a process. */
export async function openSockets(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all((await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => "")));
  return links.filter((link) => link.startsWith("socket:")).length;
}

/** Returns the inspector port of an engine that listens on this port. */
export const inspectorPort = (port: number): number => port + 1;

export interface Engine {
  readonly pid: number;
  readonly url: string;
  post(path: string, body: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

export async function startEngine(
  databaseUrl: string,
  metadataUrl: string,
  port: number,
  environment: Readonly<Record<string, string>>,
  checkout = root,
): Promise<Engine> {
  const child = spawn(
    process.execPath,
    [`--inspect=127.0.0.1:${inspectorPort(port)}`, join(checkout, ".build", "engine.mjs"), "start"],
    {
      cwd: checkout,
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ENGINE_GRAPHQL_DATABASE_URL: databaseUrl,
        ENGINE_GRAPHQL_METADATA_DATABASE_URL: metadataUrl,
        ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1",
        ENGINE_GRAPHQL_SERVER_PORT: String(port),
        ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "startup",
        ...environment,
      },
    },
  );
  await servedPort(child);
  const url = `http://127.0.0.1:${port}`;
  return {
    pid: child.pid ?? 0,
    url,
    async post(path, body) {
      const answer = await fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(body) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      return JSON.parse(text);
    },
    async stop() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

/** A process of clients. */
export class Clients {
  readonly #child: ChildProcess;

  /** Starts the process. @param prefix command prefix, to run it in another network */
  constructor(prefix: readonly string[] = []) {
    const [command = "", ...args] = [...prefix, process.execPath, "--import", "tsx"];
    this.#child = spawn(command, [...args, join(import.meta.dirname, "client.ts")], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
  }

  /** Resolves when every subscription has its first result, to the elapsed milliseconds. */
  async open(settings: ClientSettings): Promise<number> {
    this.#order({ kind: "open", settings });
    const report = await this.#report();
    return report.kind === "ready" ? report.milliseconds : 0;
  }

  measure(): void {
    this.#order({ kind: "measure" });
  }

  async finish(): Promise<Seen> {
    this.#order({ kind: "finish" });
    const report = await this.#report();
    if (report.kind !== "seen") throw new Error("the clients did not say what they saw");
    return report;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }

  #order(order: Order): void {
    this.#child.send(order);
  }

  #report(): Promise<Report> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error("the clients have ended"));
      this.#child.once("exit", onExit);
      this.#child.once("message", (report) => {
        this.#child.off("exit", onExit);
        resolve(report as Report);
      });
    });
  }
}

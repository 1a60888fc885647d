/** The processes beside the engine: the receiver of events, and a job queue that makes the same calls. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../support/shared-checks.ts";

export interface Arrival {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export class Receiver {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}/`;
  }

  static async start(): Promise<Receiver> {
    const program = join(import.meta.dirname, "receiver.ts");
    const child = spawn(process.execPath, ["--import", "tsx", program], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const [{ port }] = (await once(child, "message")) as [{ port: number }];
    return new Receiver(child, port);
  }

  async count(): Promise<number> {
    return (await this.#ask<{ count: number }>("count")).count;
  }

  /** Returns the events that have arrived since the last call. */
  async take(): Promise<readonly Arrival[]> {
    return (await this.#ask<{ arrivals: readonly Arrival[] }>("take")).arrivals;
  }

  async #ask<Answer>(order: string): Promise<Answer> {
    this.#child.send(order);
    const [answer] = (await once(this.#child, "message")) as [Answer];
    return answer;
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }
}

const peerFolder = join(import.meta.dirname, "../peers/graphile-worker");

/** Graphile Worker, installed on first use. */
export class Peer {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async install(): Promise<void> {
    if (existsSync(join(peerFolder, "node_modules"))) return;
    await promisify(execFile)("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: peerFolder });
  }

  static async start(databaseUrl: string, url: string, settings: "default" | "tuned"): Promise<Peer> {
    const child = spawn(process.execPath, [join(peerFolder, "worker.mjs"), databaseUrl, url, settings], {
      cwd: peerFolder,
      env: { PATH: process.env.PATH ?? "", NO_LOG_SUCCESS: "1" },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    await once(child, "message");
    return new Peer(child);
  }

  async end(): Promise<void> {
    const gone = once(this.#child, "exit");
    this.#child.send("end");
    await gone;
  }
}

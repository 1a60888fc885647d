/** A separate Redis for a test. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { missingProgram } from "./missing-program.ts";

export interface RedisServer {
  readonly url: string;
  /** Kills the server; its data is lost. */
  stop(): Promise<void>;
  /** Stops the server. */
  close(): Promise<void>;
  /** Restarts the server on the same port. */
  start(): Promise<void>;
  /** Resumes after `pause`. */
  resume(): void;
  /** Stops responding, while its connections stay open. */
  pause(): void;
}

export const redisIsMissing = missingProgram("redis-server");

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "engine-redis-"));
  let child: ChildProcess | undefined;
  const end = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  const start = async (): Promise<void> => {
    const flags = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder, "--daemonize", "no"];
    child = spawn("redis-server", flags, { stdio: "ignore" });
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error("redis-server did not start");
      await delay(20);
    }
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}/0`,
    start,
    stop: end,
    async close() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
  };
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });

/**
 * `npm run bench -- --only start` measures `engine start` in an empty folder, from the start of the process until it
 * serves requests. The start creates an embedded PostgreSQL. Runs without and with `--demo`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { servedPort } from "../support/served-port.ts";
import { root } from "../support/shared-checks.ts";
import { median } from "./pairs.ts";

const starts = 5;
/** Maximum time in seconds. */
const target = 3;

export async function firstStart(): Promise<void> {
  for (const args of [[], ["--demo"]]) {
    const seconds: number[] = [];
    for (let i = 0; i < starts; i++) seconds.push(await started(args));
    const each = seconds.map((time) => time.toFixed(2)).join(", ");
    console.log(`engine ${["start", ...args].join(" ")}: ${median(seconds).toFixed(2)} s (${each}; target ${target})`);
  }
}

async function started(args: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "bench-start-"));
  // If the engine runs as root, PostgreSQL runs as another account.
  await chmod(folder, 0o755);
  try {
    const begun = performance.now();
    const child = spawn(process.execPath, [join(root, ".build/engine.mjs"), "start", ...args], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ENGINE_GRAPHQL_SERVER_PORT: "0" },
    });
    await servedPort(child);
    const seconds = (performance.now() - begun) / 1000;
    child.kill();
    await once(child, "close");
    return seconds;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Debian's Prometheus with the configuration in the documentation. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onFreePort } from "./free-port.ts";
import { root } from "./shared-checks.ts";

export interface Prometheus {
  /** Returns the `data` of the response to an API path. */
  ask(path: string, parameters?: Readonly<Record<string, string>>): Promise<unknown>;
  close(): Promise<void>;
}

export interface Scraped {
  /** Host and port. */
  readonly target: string;
  readonly secret: string;
}

/** Scrapes the target every second. */
export async function startPrometheus({ target, secret }: Scraped): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), "engine-prometheus-"));
  const documented = await readFile(join(root, "docs/prometheus/prometheus.yaml"), "utf8");
  await writeFile(
    join(folder, "prometheus.yaml"),
    documented.replace("localhost:8080", target).replaceAll(/interval: \d+s/g, "interval: 1s"),
  );
  await writeFile(join(folder, "metrics-secret"), secret);
  await cp(join(root, "docs/prometheus/alerts.yaml"), join(folder, "alerts.yaml"));
  const { url, stop } = await onFreePort((port) => launch(folder, port));
  return {
    async ask(path, parameters = {}) {
      const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters)}`);
      const { status, data, error } = (await response.json()) as Record<string, unknown>;
      if (status !== "success") throw new Error(`${path}: ${error}`);
      return data;
    },
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(folder: string, port: number) {
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yaml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--web.console.libraries=",
      "--web.console.templates=",
    ],
    { cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  const ended = once(child, "close");
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  const deadline = Date.now() + 60_000;
  while ((await fetch(`${url}/-/ready`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`prometheus did not start: ${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, stop };
}

/** Runs `promtool`. @returns its output, and whether it found no problem */
export function promtool(args: readonly string[], input = ""): { readonly isFine: boolean; readonly said: string } {
  const { status, stdout, stderr } = spawnSync("promtool", args, { input, encoding: "utf8", cwd: root });
  return { isFine: status === 0, said: `${stdout}${stderr}` };
}

/** HAProxy with the configuration of `docs/deployment/haproxy.cfg`. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { root } from "./shared-checks.ts";

export interface Balancer {
  readonly url: string;
  /** Sends a command to its runtime API, and returns the response. */
  command(text: string): Promise<string>;
  close(): Promise<void>;
}

// Debian installs it in a folder of root's PATH.
const env = { PATH: `${process.env.PATH ?? ""}:/usr/sbin` };

/** False in CI, where `.ci/postgres.sh` installs the programs: there, a missing program fails the tests. */
export const haproxyIsMissing = ((): boolean => {
  const isMissing = spawnSync("haproxy", ["-v"], { env }).error !== undefined;
  if (isMissing && process.env.CI) throw new Error("haproxy is not installed");
  return isMissing;
})();

/** Starts HAProxy. @param ports ports of three servers on this machine */
export async function startHaproxy(ports: readonly number[]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), "engine-haproxy-"));
  const port = await freePort();
  const socket = join(folder, "admin.sock");
  const addresses = Object.fromEntries(ports.map((each, i) => [`ENGINE_${i + 1}`, `127.0.0.1:${each}`]));
  const child = spawn("haproxy", ["-db", "-f", join(root, "docs/deployment/haproxy.cfg")], {
    env: { ...env, LISTEN: `127.0.0.1:${port}`, ADMIN_SOCKET: socket, ...addresses },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (data) => (said += data));
  const command = async (text: string): Promise<string> => {
    const client = connect(socket);
    let answer = "";
    client.setEncoding("utf8").on("data", (data) => (answer += data));
    client.end(`${text}\n`);
    await once(client, "close");
    return answer;
  };
  while (!(await command("show info").catch(() => "")).includes("Version")) {
    if (child.exitCode !== null) throw new Error(`haproxy ended: ${said}`);
    await delay(50);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    command,
    async close() {
      const ended = child.exitCode === null ? once(child, "exit") : undefined;
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Live queries that wait for notifications, behind a pooler in transaction mode, which delivers none. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { giveTo } from "../../../runtime/embedded-postgres/account.ts";
import { freePort } from "../../support/free-port.ts";
import type { Cluster } from "../lab/cluster.ts";
import type { Fault, Lab } from "../lab/lab.ts";
import { underLoad } from "../lab/under-load.ts";

/** @returns its port; undefined where it is not installed */
async function startPooler(lab: Lab, cluster: Cluster): Promise<number | undefined> {
  const port = await freePort();
  const { account } = lab.premises.clusters;
  const file = join(lab.premises.folder, "pooler.ini");
  const settings = [
    "[databases]",
    `* = host=${cluster.address} port=${cluster.port} user=postgres`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "ignore_startup_parameters = extra_float_digits",
  ];
  await writeFile(file, `${settings.join("\n")}\n`);
  await giveTo(account, file);
  const child = spawn("pgbouncer", [file], { ...account, cwd: "/", stdio: "ignore" });
  try {
    await once(child, "spawn");
  } catch {
    return undefined;
  }
  lab.onClose(async () => void child.kill("SIGKILL"));
  return port;
}

export const pooledNotifications: Fault = {
  name: "notifications behind a pooler",
  isQuick: false,
  async run(lab) {
    const pooler = await startPooler(lab, await lab.premises.shared());
    if (pooler === undefined) return { skipped: "pgbouncer is not installed" };
    const environment = {
      ENGINE_GRAPHQL_LIVE_QUERIES_NOTIFY: "default",
      ENGINE_GRAPHQL_USE_PREPARED_STATEMENTS: "false",
    };
    const bench = await lab.bench({ behindProxy: "source", pooler, environment });
    // Nothing breaks: every subscription has to see the newest values all the same.
    return underLoad(bench, { failed: 0, longestWait: 10_000, recovery: 5000 }, () => Promise.resolve());
  },
};

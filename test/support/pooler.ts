/** PgBouncer in transaction mode in front of a database: each transaction may use another session of the server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findAccount, giveTo } from "../../runtime/databases/embedded-postgres/account.ts";
import { freePort } from "./free-port.ts";

export interface Pooler {
  readonly port: number;
  /** Returns the URL of the same database through the pooler. */
  before(url: string): string;
  stop(): Promise<void>;
}

/** In CI, `.ci/postgres.sh` installs the program, so a missing one fails the tests. */
const poolerIsRequired = process.env.CI !== undefined && process.env.CI !== "";

/**
 * Starts PgBouncer.
 * @param server URL with a superuser, whose account all clients use
 * @returns `undefined` if PgBouncer is not installed
 */
export async function startPooler(
  server: string,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<Pooler | undefined> {
  const { hostname, port: serverPort, username, password } = new URL(server);
  const port = await freePort();
  const account = await findAccount();
  const folder = await mkdtemp(join(tmpdir(), "engine-pooler-"));
  await chmod(folder, 0o755); // PgBouncer's account must be able to traverse the folder
  const file = join(folder, "pooler.ini");
  const user = `user=${username}${password === "" ? "" : ` password=${decodeURIComponent(password)}`}`;
  const all = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: "transaction",
    ignore_startup_parameters: "extra_float_digits",
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const databases = ["[databases]", `* = host=${hostname} port=${serverPort} ${user}`];
  await writeFile(file, `${[...databases, "[pgbouncer]", ...lines].join("\n")}\n`, { mode: 0o600 });
  await giveTo(account, file);
  // Debian installs it in a folder of root's PATH.
  const env = { PATH: `${process.env.PATH ?? ""}:/usr/sbin` };
  const child = spawn("pgbouncer", [file], { ...account, cwd: "/", stdio: "ignore", env });
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await once(child, "spawn");
    await untilListening(port);
  } catch (error) {
    await stop();
    if (!poolerIsRequired && (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const before = (url: string): string => {
    const through = new URL(url);
    through.hostname = "127.0.0.1";
    through.port = String(port);
    return through.href;
  };
  return { port, before, stop };
}

async function untilListening(port: number): Promise<void> {
  for (let attempts = 100; attempts > 0; attempts--) {
    const socket = connect(port, "127.0.0.1");
    const isThere = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    await delay(50);
  }
  throw new Error("the pooler does not listen");
}

/** PostgreSQL clusters that the laboratory may stop, freeze and kill, with the embedded programs. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import pg from "pg";
import { type Account, findAccount, giveTo } from "../../../runtime/databases/embedded-postgres/account.ts";
import { type Binaries, installBinaries } from "../../../runtime/databases/embedded-postgres/binaries.ts";
import { cleanEnvironment, runProgram } from "../../../runtime/databases/embedded-postgres/cluster.ts";
import { onFreePort } from "../../support/free-port.ts";
import { childrenOf, isAlive, signal, within } from "./processes.ts";

export type Settings = Readonly<Record<string, string | number>>;

/** One row of a result, with values as the `pg` package returns them. */
export type Row = Readonly<Record<string, unknown>>;

const run = promisify(execFile);

/** Writes are not synced to disk: only processes are killed, and committed data is already in the kernel. */
const ownSettings: Settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "32MB",
  max_connections: 200,
  log_destination: "stderr",
  logging_collector: "off",
  lc_messages: "C",
};

/** Creates clusters by copying an empty cluster, which is prepared once. */
export class Clusters {
  readonly account: Account;
  readonly #folder: string;
  readonly #binaries: Binaries;
  readonly #started = new Set<Cluster>();
  #count = 0;

  private constructor(folder: string, account: Account, binaries: Binaries) {
    this.#folder = folder;
    this.account = account;
    this.#binaries = binaries;
  }

  /** Prepares the empty cluster. @param folder must be accessible to the account of PostgreSQL */
  static async open(folder: string): Promise<Clusters> {
    const account = await findAccount();
    const binaries = await installBinaries(account);
    const clusters = new Clusters(folder, account, binaries);
    await giveTo(account, folder);
    const template = [`--pgdata=${clusters.#path(0)}`, "--username=postgres", "--auth=trust"];
    await runProgram(binaries.initdb, [...template, "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"], account);
    return clusters;
  }

  async start({ settings = {}, files = {}, network }: ClusterSettings = {}): Promise<Cluster> {
    const path = this.#path(++this.#count);
    await run("cp", ["-a", this.#path(0), path]);
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(path, name), text, { mode: 0o600 });
      await giveTo(this.account, join(path, name));
    }
    const command = [this.#binaries.postgres, "-D", path];
    return onFreePort(async (port) => {
      const all = { ...ownSettings, port, ...settings };
      const cluster = new Cluster({ command, account: this.account, settings: all, network });
      await cluster.start();
      this.#started.add(cluster);
      return cluster;
    });
  }

  /** Kills all clusters, for a laboratory that is interrupted. */
  killAll(): void {
    for (const cluster of this.#started) if (cluster.pid !== undefined) signal(cluster.pid, "SIGQUIT");
  }

  #path(number: number): string {
    return join(this.#folder, `cluster-${number}`);
  }
}

export interface ClusterSettings {
  readonly settings?: Settings;
  /** Additional files in the data folder, by name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly network?: ClusterNetwork;
}

/** A separate network. Only root can start processes there. */
export interface ClusterNetwork {
  readonly namespace: string;
  readonly address: string;
}

interface ClusterParts {
  readonly command: readonly string[];
  readonly account: Account;
  readonly settings: Settings;
  readonly network: ClusterNetwork | undefined;
}

/** A server that the laboratory reads and prepares. */
export type DatabaseServer = Pick<Cluster, "port" | "url" | "sql">;

export class Cluster {
  readonly #parts: ClusterParts;
  #child: ChildProcess | undefined;

  constructor(parts: ClusterParts) {
    this.#parts = parts;
  }

  get port(): number {
    return Number(this.#parts.settings.port);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get address(): string {
    return this.#parts.network?.address ?? "127.0.0.1";
  }

  url(database = "postgres"): string {
    return `postgres://postgres@${this.address}:${this.port}/${database}`;
  }

  /** Resolves when the cluster accepts connections, after recovery if necessary. */
  async start(): Promise<void> {
    const { command, account, settings, network } = this.#parts;
    const given = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const [program = "", ...args] = [...prefixOf(network, account), ...command, ...given];
    const child = spawn(program, args, {
      ...(network === undefined && account),
      cwd: "/",
      env: cleanEnvironment,
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#child = child;
    const said: string[] = [];
    await new Promise<void>((resolve, reject) => {
      createInterface(child.stderr).on("line", (line) => {
        said.push(line);
        if (said.length > 20) said.shift();
        if (line.includes("ready to accept connections")) resolve();
      });
      child.once("error", reject);
      child.once("close", () => reject(new Error(`PostgreSQL did not start:\n${said.join("\n")}`)));
    });
  }

  /** Stops the cluster. `fast` rolls back open transactions; `immediate` is like a crash. */
  async stop(how: "fast" | "immediate" = "fast"): Promise<void> {
    await this.#end(how === "fast" ? "SIGINT" : "SIGQUIT", []);
  }

  /** Kills all processes, as in a failure of the machine. */
  async kill(): Promise<void> {
    // A stopped postmaster cannot start further processes.
    signal(this.#pid(), "SIGSTOP");
    const backends = await this.#backends();
    await this.#end("SIGKILL", backends);
    // Until these processes have ended, the next start would find the shared memory in use.
    await within(10_000, () => !backends.some(isAlive));
  }

  /** Suspends all processes. */
  async freeze(): Promise<void> {
    for (const pid of [this.#pid(), ...(await this.#backends())]) signal(pid, "SIGSTOP");
  }

  async thaw(): Promise<void> {
    for (const pid of [this.#pid(), ...(await this.#backends())]) signal(pid, "SIGCONT");
  }

  /** Runs SQL on a separate connection that bypasses every proxy. */
  async sql(database: string, text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: this.url(database) });
    client.on("error", () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<Row>(text, values === undefined ? undefined : [...values]);
      return rows;
    } finally {
      await client.end();
    }
  }

  #pid(): number {
    if (this.#child?.pid === undefined) throw new Error("the cluster does not run");
    return this.#child.pid;
  }

  #backends(): Promise<readonly number[]> {
    return childrenOf(this.#pid());
  }

  async #end(name: NodeJS.Signals, others: readonly number[]): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    this.#child = undefined;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    for (const pid of [child.pid, ...others]) signal(pid, name);
    await gone;
  }
}

/** Returns the prefix of a command that runs in a network as another user. */
function prefixOf(network: ClusterNetwork | undefined, account: Account): readonly string[] {
  if (network === undefined) return [];
  const user =
    account === undefined ? [] : ["setpriv", `--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups"];
  return ["ip", "netns", "exec", network.namespace, ...user];
}

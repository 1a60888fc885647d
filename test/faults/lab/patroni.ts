/** Two PostgreSQL servers with synchronous replication, managed by Patroni, behind HAProxy; etcd has their state. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { stringify } from "yaml";
import { type Account, giveTo } from "../../../runtime/databases/embedded-postgres/account.ts";
import { freePort } from "../../support/free-port.ts";
import { root } from "../../support/shared-checks.ts";
import type { Row } from "./cluster.ts";
import { childrenOf, signal, within } from "./processes.ts";

/** Folder of Debian's programs of PostgreSQL; the embedded ones have no `pg_basebackup`. */
const programs = "/usr/lib/postgresql/15/bin";
// Debian installs HAProxy in a folder of root's PATH.
const env = { PATH: `${process.env.PATH ?? ""}:/usr/sbin`, LC_ALL: "C.UTF-8" };

interface Member {
  readonly name: string;
  /** Port of PostgreSQL. */
  readonly port: number;
  /** Port of Patroni's REST API. */
  readonly api: number;
  readonly folder: string;
  patroni?: ChildProcess;
}

/** Returns the name of a missing program. */
export function missingProgram(): string | undefined {
  if (!existsSync(join(programs, "pg_basebackup"))) return "postgresql-15";
  return ["patroni", "etcd", "haproxy"].find((name) => spawnSync(name, ["--version"], { env }).error !== undefined);
}

export class PatroniCluster {
  /** Port of HAProxy, which leads to the primary. */
  readonly port: number;
  readonly #account: Account;
  readonly #members: readonly Member[];
  readonly #others: ChildProcess[] = [];

  private constructor(port: number, account: Account, members: readonly Member[]) {
    this.port = port;
    this.#account = account;
    this.#members = members;
  }

  /** @param folder must be accessible to the account of PostgreSQL */
  static async start(folder: string, account: Account): Promise<PatroniCluster> {
    const home = join(folder, `patroni-${await freePort()}`);
    await mkdir(home);
    await giveTo(account, home);
    const members: Member[] = [];
    for (const name of ["postgres-1", "postgres-2"]) {
      members.push({ name, port: await freePort(), api: await freePort(), folder: join(home, name) });
    }
    const cluster = new PatroniCluster(await freePort(), account, members);
    process.once("exit", () => cluster.#killAll());
    try {
      const etcd = await cluster.#startEtcd(home);
      for (const member of members) {
        await writeFile(`${member.folder}.yml`, stringify(configuration(member, etcd, home)), { mode: 0o644 });
        cluster.startMember(member.name);
        // The first one initializes the cluster, so that the roles are known.
        if (member === members[0]) await cluster.#until("a primary", () => cluster.#has("leader"));
      }
      await cluster.#until("a synchronous standby", () => cluster.isRedundant());
      cluster.#startHaproxy();
      // HAProxy uses both servers until it has checked them.
      const checks = async () => Promise.all(Array.from({ length: 4 }, () => cluster.isWritable()));
      await cluster.#until("a connection to the primary", async () => !(await checks()).includes(false));
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  url(database = "postgres"): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** Runs SQL through HAProxy. */
  async sql(database: string, text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: this.url(database), connectionTimeoutMillis: 2000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<Row>(text, values === undefined ? undefined : [...values]);
      return rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Kills the primary and its Patroni, as in a failure of its machine. @returns its name */
  async killPrimary(): Promise<string> {
    const name = await this.#nameOf("leader");
    const member = this.#members.find((each) => each.name === name);
    if (member === undefined) throw new Error("there is no primary");
    await this.#kill(member);
    return member.name;
  }

  /** Starts a killed member, which becomes a standby. */
  startMember(name: string): void {
    const member = this.#members.find((each) => each.name === name);
    if (member === undefined) throw new Error(`there is no member ${name}`);
    const options = { ...this.#account, cwd: "/", env, stdio: "ignore" } as const;
    member.patroni = spawn("patroni", [`${member.folder}.yml`], options);
  }

  /** Returns whether a standby has all acknowledged writes. */
  isRedundant(): Promise<boolean> {
    return this.#has("sync_standby");
  }

  /** Returns whether the primary accepts writes through HAProxy. */
  async isWritable(): Promise<boolean> {
    const [row] = await this.sql("postgres", "select pg_is_in_recovery() as is_standby").catch(() => []);
    return row?.is_standby === false;
  }

  async stop(): Promise<void> {
    for (const member of this.#members) await this.#kill(member);
    for (const child of this.#others) child.kill("SIGKILL");
  }

  #killAll(): void {
    for (const { patroni, folder } of this.#members) {
      patroni?.kill("SIGKILL");
      // The postmaster is not a child of Patroni.
      spawnSync(join(programs, "pg_ctl"), ["-D", folder, "-m", "immediate", "stop"], { ...this.#account });
    }
    for (const child of this.#others) child.kill("SIGKILL");
  }

  async #kill({ patroni, folder }: Member): Promise<void> {
    if (patroni && patroni.exitCode === null && patroni.signalCode === null) {
      const gone = once(patroni, "exit");
      patroni.kill("SIGKILL");
      await gone;
    }
    const text = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => "");
    const pid = Number.parseInt(text, 10);
    if (!(pid > 0)) return;
    signal(pid, "SIGSTOP");
    for (const each of [...(await childrenOf(pid)), pid]) signal(each, "SIGKILL");
  }

  async #startEtcd(home: string): Promise<number> {
    const [client, peer] = [await freePort(), await freePort()];
    const [clients, peers] = [client, peer].map((port) => `http://127.0.0.1:${port}`);
    const flags = {
      "data-dir": join(home, "etcd"),
      "listen-client-urls": clients,
      "advertise-client-urls": clients,
      "listen-peer-urls": peers,
      "initial-advertise-peer-urls": peers,
      "initial-cluster": `default=${peers}`,
    };
    const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
    this.#others.push(spawn("etcd", args, { ...this.#account, cwd: "/", env, stdio: "ignore" }));
    const isHealthy = async () => (await fetch(`${clients}/health`)).ok;
    await this.#until("etcd", () => isHealthy().catch(() => false));
    return client;
  }

  #startHaproxy(): void {
    const addresses = Object.fromEntries(
      this.#members.flatMap(({ port, api }, n) => [
        [`POSTGRES_${n + 1}`, `127.0.0.1:${port}`],
        [`PATRONI_${n + 1}`, String(api)],
      ]),
    );
    const args = ["-db", "-f", join(root, "docs/deployment/haproxy-patroni.cfg")];
    this.#others.push(
      spawn("haproxy", args, { env: { ...env, LISTEN: `127.0.0.1:${this.port}`, ...addresses }, stdio: "ignore" }),
    );
  }

  async #until(what: string, condition: () => Promise<boolean>): Promise<void> {
    if (!(await within(40_000, condition))) throw new Error(`the Patroni cluster has no ${what}`);
  }

  async #has(role: string): Promise<boolean> {
    return (await this.#nameOf(role)) !== undefined;
  }

  /** Returns the running member with a role, as Patroni sees it. */
  async #nameOf(role: string): Promise<string | undefined> {
    for (const { api } of this.#members) {
      const members = await fetch(`http://127.0.0.1:${api}/cluster`)
        .then(async (response) => ((await response.json()) as { readonly members: readonly Seen[] }).members)
        .catch(() => []);
      const found = members.find((each) => each.role === role && /^(running|streaming)$/.test(each.state));
      if (found !== undefined) return found.name;
    }
    return undefined;
  }
}

interface Seen {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Times in seconds. The primary has failed if it does not renew its key within `ttl`. */
const dynamic = {
  ttl: 5,
  loop_wait: 1,
  retry_timeout: 2,
  synchronous_mode: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: { max_connections: 200, shared_buffers: "32MB", fsync: "off", wal_log_hints: "on" },
  },
};

function configuration({ name, port, api, folder }: Member, etcd: number, home: string) {
  const access = ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"];
  const user = { username: "postgres" };
  return {
    scope: "faults",
    name,
    restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: { dcs: dynamic, initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "no-sync"], pg_hba: access },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: folder,
      bin_dir: programs,
      pgpass: join(home, `${name}.pgpass`),
      pg_hba: access,
      parameters: { unix_socket_directories: "" },
      authentication: { superuser: user, replication: user, rewind: user },
    },
  };
}

/** A PostgreSQL 15 of Debian with streaming replicas: real ones, which lag and can be killed. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { findAccount, giveTo } from "../../runtime/databases/embedded-postgres/account.ts";
import { query } from "./database.ts";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);
const programs = "/usr/lib/postgresql/15/bin";

/** False in CI, where `.ci/postgres.sh` installs the programs: there, a missing program fails the tests. */
export const replicationIsMissing = ((): boolean => {
  const isMissing = !existsSync(`${programs}/pg_basebackup`);
  if (isMissing && process.env.CI) throw new Error("PostgreSQL 15 is not installed");
  return isMissing;
})();

interface PostgresServer {
  readonly url: string;
  start(): Promise<void>;
  /** Kills the server without a shutdown, as in a power failure. */
  kill(): Promise<void>;
}

export interface Replication {
  readonly primary: PostgresServer;
  readonly replicas: readonly PostgresServer[];
  /** Resolves when the replicas have all data that the primary had at the call. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the servers. @param count number of replicas */
export async function startReplication(count: number): Promise<Replication> {
  const account = await findAccount();
  const folder = await mkdtemp(join(tmpdir(), "engine-replication-"));
  await chmod(folder, 0o755);
  await giveTo(account, folder);
  const call = (program: string, ...flags: readonly string[]) =>
    run(`${programs}/${program}`, flags, { ...account, cwd: "/" });
  const data = join(folder, "primary");
  await call(
    "initdb",
    "--auth=trust",
    "--username=postgres",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
    "--no-sync",
    `--pgdata=${data}`,
  );
  const common = "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\ntimezone = 'UTC'\n";
  await appendFile(join(data, "postgresql.conf"), common);
  const primary = await server(data, account);
  await primary.start();
  const replicas: PostgresServer[] = [];
  for (let i = 0; i < count; i++) {
    const copy = join(folder, `replica-${i}`);
    // `--write-recovery-conf` makes it a standby of the primary.
    await call(
      "pg_basebackup",
      "-d",
      primary.url,
      "-D",
      copy,
      "--checkpoint=fast",
      "--write-recovery-conf",
      "--no-sync",
    );
    const replica = await server(copy, account);
    await replica.start();
    replicas.push(replica);
  }
  return {
    primary,
    replicas,
    async settle() {
      const [now] = await query(primary.url, "select pg_current_wal_lsn()::text as position");
      const reached = `select coalesce(pg_last_wal_replay_lsn() >= '${now?.position}', false) as reached`;
      for (const { url } of replicas) while ((await query(url, reached))[0]?.reached !== true) await delay(20);
    },
    async close() {
      await Promise.all([primary, ...replicas].map((each) => each.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function server(data: string, account: Awaited<ReturnType<typeof findAccount>>): Promise<PostgresServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    url,
    async start() {
      child = spawn(`${programs}/postgres`, ["-D", data, "-p", String(port)], {
        ...account,
        cwd: "/",
        stdio: "ignore",
      });
      while (!(await answers(url))) {
        if (child.exitCode !== null) throw new Error("PostgreSQL did not start");
        await delay(50);
      }
    },
    async kill() {
      if (child === undefined || child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGQUIT");
      await ended;
    },
  };
}

const answers = (url: string): Promise<boolean> =>
  query(url, "select 1").then(
    () => true,
    () => false,
  );

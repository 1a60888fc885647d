/** The embedded PostgreSQL from a user's perspective: persistent data, kills, and errors with remedies. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findAccount } from "../../runtime/databases/embedded-postgres/account.ts";
import { installBinaries } from "../../runtime/databases/embedded-postgres/binaries.ts";
import { placeDataFolder } from "../../runtime/databases/embedded-postgres/data-folder.ts";
import { EmbeddedPostgresError } from "../../runtime/databases/embedded-postgres/embedded-postgres-error.ts";
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from "../../runtime/databases/embedded-postgres/start-embedded-postgres.ts";
import { query } from "../support/database.ts";

const asRoot = process.getuid?.() === 0;
const entry = fileURLToPath(
  new URL("../../runtime/databases/embedded-postgres/start-embedded-postgres.ts", import.meta.url),
);

let temporary = "";
let folder = "";
let running: EmbeddedPostgres[] = [];

beforeEach(async () => {
  temporary = await realpath(await mkdtemp(join(tmpdir(), "engine-embedded-")));
  // Folders created by `mkdtemp` are closed to other users; a project folder usually is not.
  folder = join(temporary, "project", ".data", "postgres");
  await chmod(temporary, 0o755);
});

afterEach(async () => {
  await Promise.all(running.map((postgres) => postgres.stop()));
  running = [];
  await rm(temporary, { recursive: true, force: true });
});

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDirectory: folder, durable: false, ...options });
  running.push(postgres);
  return postgres;
}

interface Child {
  /** The URL, or the reason why the start failed. */
  readonly said: string;
  kill(): Promise<void>;
}

/** Starts PostgreSQL in a separate process, which runs until it is killed. */
async function startInChild(): Promise<Child> {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(entry)};
    const start = startEmbeddedPostgres({ dataDirectory: process.argv[1], durable: false });
    console.log(await start.then(({ url }) => url, (error) => error.reason));`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", script, folder];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const [said] = await once(createInterface(child.stdout), "line");
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  return { said: String(said), kill };
}

describe("Starting and stopping the embedded PostgreSQL", () => {
  it("The embedded PostgreSQL keeps its data and requires the password", async () => {
    const first = await start();
    await query(first.url, "create table kept (n int); insert into kept values (42)");
    const anonymous = new URL(first.url);
    anonymous.password = "wrong";
    await expect(query(anonymous.href, "select 1")).rejects.toThrow("password authentication failed");
    await first.stop();
    await expect(first.ended).resolves.toBeUndefined();
    await expect(query(first.url, "select 1")).rejects.toThrow("ECONNREFUSED");

    const second = await start();
    expect(second.dataDirectory).toBe(folder);
    expect(await query(second.url, "select n from kept")).toEqual([{ n: 42 }]);
  });

  it("The embedded PostgreSQL is durable by default and uses UTC", async () => {
    const settings = "select current_setting('fsync') as fsync, current_setting('timezone') as zone";
    const durable = await start({ durable: true });
    expect(await query(durable.url, settings)).toEqual([{ fsync: "on", zone: "UTC" }]);
    await durable.stop();
    const fast = await start();
    expect(await query(fast.url, settings)).toEqual([{ fsync: "off", zone: "UTC" }]);
  });

  it("A caller can work beside initdb and the server, which start before the cluster and the URL exist", async () => {
    const existing: boolean[] = [];
    const onProgram = () => existing.push(existsSync(join(folder, "cluster")));
    await (await start({ onProgram })).stop();
    expect(existing).toEqual([false, true]);
    await start({ onProgram });
    expect(existing).toEqual([false, true, true]);
  });

  it("The mode of a cluster is repaired with one line if PostgreSQL would refuse it", async () => {
    await (await start()).stop();
    const cluster = join(folder, "cluster");
    for (const [mode, repaired] of [
      [0o755, true],
      [0o777, true],
      [0o750, false],
    ] as const) {
      await chmod(cluster, mode);
      const log: string[] = [];
      await (await start({ log: (line) => void log.push(line) })).stop();
      expect((await stat(cluster)).mode & 0o777).toBe(repaired ? 0o700 : mode);
      const lines = log.filter((line) => line.includes(cluster));
      expect(lines).toEqual(
        repaired ? [`changed the mode of ${cluster} from 0${mode.toString(8)} to 0700, which PostgreSQL requires`] : [],
      );
    }
  });

  it("The output of a failed start is in its error only, and that of a server in the log", async () => {
    const log: string[] = [];
    const options = { log: (line: string) => void log.push(line) };
    await (await start(options)).stop();
    expect(log.filter((line) => line.includes("ready to accept connections"))).toHaveLength(1);
    log.length = 0;
    await writeFile(join(folder, "cluster", "postgresql.conf"), "shared_buffers = none\n");
    await expect(start(options)).rejects.toThrow(/shared_buffers/);
    expect(log.filter((line) => line.includes("shared_buffers"))).toEqual([]);
  });

  it("The password of the embedded PostgreSQL is hidden from other users", async () => {
    await start();
    const secret = await stat(join(folder, "cluster", "engine-password"));
    expect(secret.mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, "cluster"))).mode & 0o777).toBe(0o700);
  });

  it("The embedded PostgreSQL offers commonly needed extensions", async () => {
    const { url } = await start();
    const wanted = ["citext", "hstore", "ltree", "pg_trgm", "pgcrypto"];
    const found = await query(url, "select name from pg_available_extensions where name = any($1) order by 1", [
      wanted,
    ]);
    expect(found.map((row) => row.name)).toEqual(wanted);
  });

  it("An unexpected end of the embedded PostgreSQL is reported", async () => {
    const postgres = await start();
    const mark = await readFile(join(folder, "cluster", "postmaster.pid"), "utf8");
    process.kill(Number.parseInt(mark, 10), "SIGKILL");
    await expect(postgres.ended).resolves.toMatchObject({ reason: "start-failed" });
    const restarted = await start();
    expect(await query(restarted.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

describe("The embedded PostgreSQL after a kill", () => {
  it("The embedded PostgreSQL ends with its parent process, and the next start has the data", async () => {
    const killed = await startInChild();
    await query(killed.said, "create table kept (n int); insert into kept values (7)");
    await killed.kill();
    const next = await start();
    expect(await query(next.url, "select n from kept")).toEqual([{ n: 7 }]);
    await expect(query(killed.said, "select 1")).rejects.toThrow("ECONNREFUSED");
  });

  it("An orphaned embedded PostgreSQL is stopped cleanly", async () => {
    const first = await start();
    await query(first.url, "create table kept (n int); insert into kept values (9)");
    await first.stop();
    const gone = spawn(process.execPath, ["--version"]);
    await once(gone, "exit");
    const account = await findAccount();
    const { postgres } = await installBinaries(account);
    const settings = [`cluster_name=engine-${gone.pid}`, `port=${first.port}`, "unix_socket_directories="];
    const args = ["-D", join(folder, "cluster"), ...settings.flatMap((setting) => ["-c", setting])];
    const orphan = spawn(postgres, args, { ...account, cwd: "/", stdio: ["ignore", "ignore", "pipe"] });
    const exited = once(orphan, "exit");
    for await (const line of createInterface(orphan.stderr)) if (line.includes("ready to accept")) break;

    const next = await start();
    expect(await query(next.url, "select n from kept")).toEqual([{ n: 9 }]);
    expect(await exited).toEqual([0, null]);
  });

  it("A stale PID file with a reused process number does not prevent a start", async () => {
    await (await start()).stop();
    const mark = join(folder, "cluster", "postmaster.pid");
    await writeFile(mark, `${process.pid}\n${folder}\n0\n1\n\n127.0.0.1\n\nready\n`);
    const lines: string[] = [];
    await start({ log: (line) => lines.push(line) });
    expect(lines[0]).toContain("removed a stale postmaster.pid");
  });

  it("Remains of an incomplete cluster are removed", async () => {
    const gone = spawn(process.execPath, ["--version"]);
    await once(gone, "exit");
    await mkdir(join(folder, `cluster-${gone.pid}.new`), { recursive: true });
    await start();
    await expect(lstat(join(folder, `cluster-${gone.pid}.new`))).rejects.toThrow("ENOENT");
  });
});

describe("Failed starts of the embedded PostgreSQL", () => {
  it("A second start on the same folder is refused", async () => {
    await start();
    const second = startEmbeddedPostgres({ dataDirectory: folder, durable: false });
    await expect(second).rejects.toMatchObject({ reason: "folder-in-use" });
    await expect(second).rejects.toThrow(`in use by another engine (process ${process.pid})`);
  });

  it("Of two concurrent first starts, one runs and the other reports the reason", async () => {
    const [child, own] = await Promise.all([
      startInChild(),
      start().then(
        ({ url }) => url,
        (error: unknown) => (error instanceof EmbeddedPostgresError ? error.reason : error),
      ),
    ]);
    const outcomes = [child.said, own];
    await child.kill();
    expect(outcomes).toContain("folder-in-use");
    expect(outcomes).toContainEqual(expect.stringMatching(/^postgres:/));
  });

  it("Data of another major version is refused", async () => {
    await (await start()).stop();
    await writeFile(join(folder, "cluster", "PG_VERSION"), "14\n");
    const failure = start();
    await expect(failure).rejects.toMatchObject({ reason: "folder-foreign" });
    await expect(failure).rejects.toThrow(/made by PostgreSQL 14; the embedded one is PostgreSQL 15/);
    await expect(failure).rejects.toThrow(/ENGINE_GRAPHQL_DATABASE_URL/);
  });

  it("The data folder of another PostgreSQL is refused", async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "PG_VERSION"), "13\n");
    await expect(start()).rejects.toThrow(/is itself the data of a PostgreSQL 13/);
  });

  it("A folder that cannot be created is refused", async () => {
    await writeFile(join(temporary, "project"), "");
    const failure = start();
    await expect(failure).rejects.toMatchObject({ reason: "folder-unwritable" });
    await expect(failure).rejects.toThrow(folder);
  });

  it("A port in use is refused", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const failure = start({ port });
    await expect(failure).rejects.toMatchObject({ reason: "port-taken" });
    await expect(failure).rejects.toThrow(`port ${port} of 127.0.0.1`);
    other.close();
  });

  it("A failing PostgreSQL is reported with its last log lines", async () => {
    await (await start()).stop();
    await writeFile(join(folder, "cluster", "postgresql.conf"), "shared_buffers = nonsense\n");
    const failure = start();
    await expect(failure).rejects.toMatchObject({ reason: "start-failed" });
    await expect(failure).rejects.toThrow(/its last output:[\s\S]*shared_buffers/);
  });

  it("A start without a writable folder for the programs is refused", async () => {
    await writeFile(join(temporary, "file"), "");
    const failure = installBinaries(undefined, [join(temporary, "file", "cache")]);
    await expect(failure).rejects.toMatchObject({ reason: "no-binaries" });
  });

  it("Programs that another user could have changed are not run", async () => {
    const cache = join(temporary, "cache");
    await mkdir(cache);
    await chmod(cache, 0o777);
    await expect(installBinaries(undefined, [cache])).rejects.toThrow("can be changed by others");
  });
});

describe("Copied PostgreSQL programs", () => {
  it("Concurrent first starts in one process share one complete copy", async () => {
    const account = await findAccount();
    const cache = join(temporary, "cache");
    const copies = await Promise.all([1, 2, 3].map(() => installBinaries(account, [cache])));
    expect(new Set(copies.map(({ postgres }) => postgres)).size).toBe(1);
    expect(await readdir(cache)).toHaveLength(1);
  });

  it("A start removes drafts of killed starts, and keeps those of starts that may still run", async () => {
    const account = await findAccount();
    const cache = join(temporary, "cache");
    const { postgres } = await installBinaries(account, [cache]);
    const copy = join(dirname(postgres), "..");
    const [abandoned, running] = [`${copy}.aBcDe1`, `${copy}.aBcDe2`];
    for (const draft of [abandoned, running]) await mkdir(join(draft, "bin"), { recursive: true });
    const past = new Date(Date.now() - 2 * 3_600_000);
    await utimes(abandoned, past, past);
    await installBinaries(account, [cache]);
    expect(new Set(await readdir(cache))).toEqual(new Set([basename(copy), basename(running)]));
  });

  it("The copied programs have the library links that npm omits", async () => {
    const { postgres } = await installBinaries(await findAccount(), [join(temporary, "cache")]);
    const copy = join(dirname(postgres), "..");
    const listed: unknown = JSON.parse(await readFile(join(copy, "pg-symlinks.json"), "utf8"));
    const links = (Array.isArray(listed) ? listed : []) as { readonly target: string }[];
    expect(links.length).toBeGreaterThan(0);
    for (const { target } of links) {
      await expect(realpath(join(copy, target.replace(/^native\//, "")))).resolves.toContain(`${temporary}/cache/`);
    }
  });
});

describe.runIf(asRoot)("The embedded PostgreSQL as root", () => {
  it("As root, the data is stored in an accessible folder behind a link", async () => {
    const account = await findAccount();
    const store = join(temporary, "store");
    const closed = join(temporary, "closed");
    await mkdir(closed, { mode: 0o700 });
    const requested = join(closed, ".data", "postgres");
    const place = await placeDataFolder(requested, account, store);
    expect(place.startsWith(store)).toBe(true);
    expect(await realpath(requested)).toBe(place);

    const first = await start({ dataDirectory: requested });
    expect(first.dataDirectory).toBe(place);
    await query(first.url, "create table kept (n int); insert into kept values (1)");
    await first.stop();
    const lines: string[] = [];
    const second = await start({ dataDirectory: requested, log: (line) => lines.push(line) });
    expect(await query(second.url, "select n from kept")).toEqual([{ n: 1 }]);
    expect(lines[0]).toBe(`the data of ${requested} is kept in ${place}`);
  });

  it("As root, inaccessible data or a dangling link is refused", async () => {
    await (await start()).stop();
    const closed = join(temporary, "closed");
    await mkdir(closed, { mode: 0o700 });
    await cp(folder, join(closed, "postgres"), { recursive: true });
    await expect(start({ dataDirectory: join(closed, "postgres") })).rejects.toMatchObject({
      reason: "folder-unreachable",
    });

    await symlink(join(temporary, "missing"), join(temporary, "dangling"));
    await expect(start({ dataDirectory: join(temporary, "dangling") })).rejects.toThrow(
      /link to a folder that does not exist/,
    );
  });

  it("As root, a restored backup is served", async () => {
    const first = await start();
    await query(first.url, "create table kept (n int)");
    await first.stop();
    const copy = join(temporary, "copy");
    await cp(folder, copy, { recursive: true }); // `cp` by root changes the owner to root
    const second = await start({ dataDirectory: copy });
    expect(await query(second.url, "select * from kept")).toEqual([]);
  });
});

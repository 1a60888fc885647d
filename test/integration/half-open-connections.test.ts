/** Connections whose packets vanish: no peer is notified, and no request may wait indefinitely. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startEmbeddedPostgres } from "../../runtime/databases/embedded-postgres/start-embedded-postgres.ts";
import type { ConnectionTimes } from "../../runtime/databases/sources/postgres/connection-times.ts";
import type { DatabaseSource } from "../../runtime/databases/sources/source.ts";
import { query } from "../support/database.ts";
import { type DatabaseProxy, startProxy } from "../support/database-proxy.ts";
import { startPooler } from "../support/pooler.ts";
import { database, failure, one, open, terminateAll, useDatabase } from "../support/postgres-source.ts";

useDatabase();

/** In milliseconds: a tenth of the usual times. */
const times: Partial<ConnectionTimes> = {
  connect: 500,
  tick: 20,
  silence: 300,
  check: 200,
  cancel: 200,
  ping: 200,
  close: 100,
};
let proxy: DatabaseProxy;

beforeEach(async () => {
  proxy = await startProxy(database.url);
});

afterEach(async () => {
  await proxy.close();
  await terminateAll();
});

const through = (pool_settings = {}): DatabaseSource => open({ database_url: proxy.url, pool_settings }, {}, times);

const sleep = { text: "select pg_sleep(60)::text" };

async function isRunning(count: number): Promise<void> {
  const text = `select from pg_stat_activity where query = '${sleep.text}' and state = 'active'`;
  await expect.poll(() => query(database.url, text)).toHaveLength(count);
}

/** Returns the result and the duration of the work in milliseconds. */
async function timed<T>(work: Promise<T>): Promise<readonly [T, number]> {
  const start = performance.now();
  return [await work, performance.now() - start];
}

describe("Network outages of a source", () => {
  it("Statements of every kind fail during an outage and succeed after it", async () => {
    const source = through({ retries: 0 });
    const begun = [
      failure(source.query(sleep, [])),
      failure(source.execute(sleep, [])),
      failure(source.executeAlone({ readOnly: true }, sleep, [])),
      failure(source.transaction({}, (transaction) => transaction.query(sleep, []))),
      failure(source.runSql(sleep.text, { readOnly: false })),
    ];
    await isRunning(5);
    proxy.freeze();
    const later = failure(source.query({ text: "select 1" }, []));
    const [errors, took] = await timed(Promise.all([...begun, later]));
    for (const error of errors) {
      expect(error).toMatchObject({ code: "postgres-error", status: 500, message: "connection error" });
    }
    expect(took).toBeLessThan(3000);
    proxy.thaw();
    expect(await one(source, "select 'back'")).toBe("back");
    expect((await timed(Promise.all(Array.from({ length: 20 }, () => one(source, "select 1")))))[1]).toBeLessThan(1000);
  });

  it("Idle connections are closed as soon as one of them is found dead", async () => {
    const source = through({ retries: 0 });
    await Promise.all(Array.from({ length: 5 }, () => one(source, "select pg_sleep(0.05)")));
    expect(source.connections).toMatchObject({ connections: 5, idle: 5 });
    proxy.freeze();
    await failure(source.query({ text: "select 1" }, []));
    await expect.poll(() => source.connections?.connections).toBe(0);
  });

  it("Connecting times out during an outage", async () => {
    proxy.freeze();
    const [error, took] = await timed(failure(through().query({ text: "select 1" }, [])));
    expect(error).toMatchObject({ message: "connection error", internal: "timeout expired" });
    expect(took).toBeLessThan(1500);
  });

  it("A source closes quickly during an outage", async () => {
    const source = through();
    await one(source, "select 1");
    proxy.freeze();
    expect((await timed(source.close()))[1]).toBeLessThan(1000);
  });
});

describe("Dead connections of a source", () => {
  it("A dead connection is replaced, and reads without side effects run again", async () => {
    const source = through({ max_connections: 1 });
    await one(source, "select 1");
    proxy.freezeOld();
    const [answer, took] = await timed(source.query({ text: "select 'again'", onlyReads: true }, []));
    expect(answer).toEqual([["again"]]);
    expect(took).toBeGreaterThan(250);
    expect(took).toBeLessThan(3000);
  });

  it("A read that may have side effects fails on a dead connection, and the next one succeeds", async () => {
    const source = through({ max_connections: 1 });
    await one(source, "select 1");
    proxy.freezeOld();
    const error = await failure(source.query({ text: "select 'once'" }, []));
    expect(error).toMatchObject({ message: "connection error" });
    expect(await one(source, "select 'next'")).toBe("next");
  });

  it("A write fails on a dead connection", async () => {
    const source = through({ max_connections: 1 });
    await one(source, "select 1");
    proxy.freezeOld();
    const error = await failure(source.execute({ text: "select 'written'" }, []));
    expect(error).toMatchObject({ message: "connection error" });
    expect(error.internal).toBe("the server no longer runs the statement");
  });
});

describe("Pings of a source", () => {
  it("A ping detects and replaces dead connections early", async () => {
    const patient = { ...times, silence: 60_000, pingSilence: 100, pingCheck: 200 };
    const source = open({ database_url: proxy.url }, {}, patient);
    await Promise.all(Array.from({ length: 5 }, () => one(source, "select pg_sleep(0.05)")));
    proxy.freezeOld();
    expect((await timed(source.ping?.() ?? Promise.reject(new Error("no ping"))))[1]).toBeLessThan(1500);
    expect((await timed(Promise.all(Array.from({ length: 5 }, () => one(source, "select 1")))))[1]).toBeLessThan(1000);
  });

  it("A failed ping ends no statements while the server is unreachable", async () => {
    const patient = { ...times, silence: 60_000, pingSilence: 100, pingCheck: 200 };
    const source = open({ database_url: proxy.url, pool_settings: { retries: 0 } }, {}, patient);
    const slow = one(source, "select 'done' from pg_sleep(0.5)");
    await one(source, "select 1");
    proxy.freeze();
    const ping = source.ping?.();
    await expect
      .poll(() =>
        query(
          database.url,
          "select from pg_stat_activity where state = 'active' and query like '%pg_sleep(0.5)%' and pid <> pg_backend_pid()",
        ),
      )
      .toHaveLength(0);
    proxy.thaw();
    await ping;
    expect(await slow).toBe("done");
  });
});

describe("Silently ended sessions", () => {
  it("A silently ended session behind a proxy is replaced", async () => {
    const source = through({ max_connections: 1 });
    const writing = failure(source.execute(sleep, []));
    await isRunning(1);
    proxy.freezeOld();
    await terminateAll();
    const [error, took] = await timed(writing);
    expect(error.internal).toBe("the server no longer runs the statement");
    expect(took).toBeLessThan(3000);
    expect(await one(source, "select 'next'")).toBe("next");
  });

  it("A session is not looked for at another server behind a load balancer", async () => {
    const folder = await mkdtemp(join(tmpdir(), "engine-other-server-"));
    await chmod(folder, 0o755); // PostgreSQL may run as another user, which must be able to traverse the folder.
    const other = await startEmbeddedPostgres({ dataDirectory: join(folder, "postgres"), durable: false });
    try {
      const name = new URL(database.url).pathname.slice(1);
      await query(other.url, `create database "${name}"`);
      const { username, password } = new URL(database.url);
      await query(other.url, `alter role "${username}" password '${password}'`);
      const source = through({ max_connections: 1, retries: 0 });
      const slow = one(source, "select 'done' from pg_sleep(1.5)");
      const isThere = "select from pg_stat_activity where query like '%pg_sleep(1.5)%' and pid <> pg_backend_pid()";
      await expect.poll(() => query(database.url, isThere)).toHaveLength(1);
      proxy.leadTo(other.url);
      expect(await slow).toBe("done");
    } finally {
      await other.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("Poolers in transaction mode", () => {
  it("Statements behind a pooler are left running, including those that wait for a session", async ({ skip }) => {
    const pooler = await startPooler(database.url, { default_pool_size: 1 });
    if (pooler === undefined) return skip("pgbouncer is not installed");
    try {
      const source = open({ database_url: pooler.before(database.url), pool_settings: { retries: 0 } }, {}, times);
      expect(await one(source, "select 1")).toBe("1");
      const slow = Array.from({ length: 2 }, () => one(source, "select 'done' from pg_sleep(1.5)"));
      expect(await Promise.all(slow)).toEqual(["done", "done"]);
    } finally {
      await pooler.stop();
    }
  });
});

describe("Slow statements", () => {
  it("A slow statement is left running while the server works on it", async () => {
    const source = through({ max_connections: 1, retries: 0 });
    expect(await one(source, "select 'done' from pg_sleep(1.5)")).toBe("done");
  });

  it("A statement that waits for a lock is left running", async () => {
    await query(database.url, "create table locked (id int)");
    const [owner, waiter] = [through(), through({ retries: 0 })];
    let reading: Promise<unknown> = Promise.resolve();
    await owner.transaction({}, async (transaction) => {
      await transaction.query({ text: "lock table locked" }, []);
      reading = one(waiter, "select count(*) from locked");
      const waits = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      await expect.poll(() => query(database.url, waits)).toHaveLength(1);
      await transaction.query({ text: "select pg_sleep(1)::text" }, []);
    });
    expect(await reading).toBe("0");
  });

  it("A statement ends at its time limit even if the server does not confirm the cancellation", async () => {
    const source = through({ max_connections: 1, retries: 0 });
    await one(source, "select 1");
    const slow = failure(source.executeAlone({ readOnly: true, timeoutMilliseconds: 100 }, sleep, []));
    await isRunning(1);
    proxy.freezeOld();
    const [error, took] = await timed(slow);
    expect(error.internal).toBe("the statement exceeded its time limit");
    expect(took).toBeLessThan(1000);
    expect(await one(source, "select 1")).toBe("1");
  });
});

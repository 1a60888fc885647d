/** Databases that accept no more connections, and writes that occupy the existing ones. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmbeddedPostgres } from "../../runtime/databases/embedded-postgres/start-embedded-postgres.ts";
import type { DatabaseSource } from "../../runtime/databases/sources/source.ts";
import { query } from "../support/database.ts";
import { closeSources, database, failure, one, open, openSingle, useDatabase } from "../support/postgres-source.ts";

useDatabase();

describe("The connection limit of a database", () => {
  let role: string;
  let url: string;

  beforeAll(async () => {
    role = `${database.name}_few`;
    await query(database.url, `create role "${role}" login password 'pw' connection limit 3`);
    const limited = new URL(database.url);
    limited.username = role;
    limited.password = "pw";
    url = limited.href;
  });

  afterAll(async () => {
    await query(database.url, `drop role "${role}"`);
  });

  const many = (source: DatabaseSource): Promise<unknown[]> =>
    Promise.all(Array.from({ length: 60 }, (_, i) => one(source, `select pg_sleep(0.01)::text || ${i}`)));
  const answers = Array.from({ length: 60 }, (_, i) => String(i));

  it("A refused connection fails no request while the source has another one, and is retried later", async () => {
    const notes: unknown[] = [];
    const events = {
      onReduced: (connections: number, reason: string) => notes.push([connections, reason]),
      onRestored: () => notes.push("restored"),
    };
    // Refused attempts count against the limit until the server has closed their connections. On a busy machine, this
    // affects all of the first attempts.
    const settings = { max_connections: 12, retries: 5 };
    const source = open({ database_url: url, pool_settings: settings }, events, { regrow: 300, tick: 20 });
    expect(await many(source)).toEqual(answers);
    // The pool detects the limit only when it needs another connection, so the queries are repeated.
    const limited = async () => [await many(source), source.connections].at(-1);
    await expect.poll(limited, { timeout: 40_000 }).toMatchObject({ connections: 3, limit: 3 });
    expect(await many(source)).toEqual(answers);
    expect(notes).toEqual([[expect.any(Number), `too many connections for role "${role}"`]]);
    await query(database.url, `alter role "${role}" connection limit 20`);
    await expect
      .poll(async () => [await many(source), source.connections?.connections].at(-1), { timeout: 40_000 })
      .toBe(12);
    expect(notes.slice(1)).toEqual(["restored"]);
    await query(database.url, `alter role "${role}" connection limit 3`);
  }, 60_000);

  it("A request succeeds if one of the retried connections is accepted", async () => {
    const holder = open({ database_url: url });
    const held = Array.from({ length: 3 }, () => one(holder, "select pg_sleep(0.4)"));
    await expect.poll(() => holder.connections?.connections).toBe(3);
    const closed = Promise.all(held).then(() => holder.close());
    const source = open({ database_url: url, pool_settings: { max_connections: 12, retries: 8 } });
    expect(await many(source)).toEqual(answers);
    await closed;
  });

  it("A request fails if the source gets no connection", async () => {
    const holder = open({ database_url: url });
    const held = Promise.allSettled(Array.from({ length: 3 }, () => one(holder, "select pg_sleep(60)")));
    await expect.poll(() => holder.connections?.connections).toBe(3);
    const error = await failure(
      open({ database_url: url, pool_settings: { retries: 0 } }).query({ text: "select 1" }, []),
    );
    const refusal = { code: "postgres-max-connections-error", status: 500 };
    expect(error).toMatchObject(refusal);
    // Concurrent attempts wait only for each other.
    const burst = open({ database_url: url, pool_settings: { max_connections: 12, retries: 1 } });
    const failures = await Promise.all(answers.map(() => failure(one(burst, "select 1"))));
    for (const each of failures) expect(each).toMatchObject(refusal);
    await query(database.url, `select pg_cancel_backend(pid) from pg_stat_activity where usename = '${role}'`);
    await held;
  });
});

describe("Reserved connection slots", () => {
  it("An engine that connects as a superuser leaves the reserved slots free", async () => {
    const folder = await mkdtemp(join(tmpdir(), "reserved-slots-"));
    await chmod(folder, 0o755); // PostgreSQL may run as another user, which must be able to traverse the folder.
    const start = () => startEmbeddedPostgres({ dataDirectory: join(folder, "postgres"), durable: false });
    const first = await start();
    const [most] = await query(first.url, "select current_setting('max_connections')::int as connections");
    await query(first.url, `alter system set superuser_reserved_connections = ${Number(most?.connections) - 8}`);
    await first.stop();
    const server = await start();
    try {
      const source = open({ database_url: server.url, pool_settings: { max_connections: 20 } });
      const answers = Array.from({ length: 60 }, (_, i) => one(source, `select pg_sleep(0.02)::text || ${i}`));
      expect(await Promise.all(answers)).toEqual(Array.from({ length: 60 }, (_, i) => String(i)));
      const used = await query(
        server.url,
        "select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      );
      expect(used[0]?.n).toBeLessThanOrEqual(8);
      expect(source.connections?.limit).toBeLessThanOrEqual(8);
    } finally {
      await closeSources();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }, 60_000);
});

describe("Writes that wait for a lock", () => {
  it("Writes that wait for a lock leave connections for reads", async () => {
    await query(database.url, "create table busy (id int); create table quiet (id int)");
    const source = open({ pool_settings: { max_connections: 8 } });
    const owner = openSingle();
    let writes: Promise<unknown>[] = [];
    await owner.transaction({}, async (transaction) => {
      await transaction.query({ text: "lock table busy" }, []);
      const write = { text: "insert into busy values (1) returning id::text" };
      writes = Array.from({ length: 70 }, (_, i) =>
        i % 2 === 0 ? source.execute(write, []) : source.transaction({}, (running) => running.query(write, [])),
      );
      await expect.poll(() => source.connections).toMatchObject({ connections: 6, waiting: 64 });
      for (let i = 0; i < 20; i++) expect(await one(source, "select count(*) from quiet")).toBe("0");
    });
    await Promise.all(writes);
    expect(await one(source, "select count(*) from busy")).toBe("70");
  });

  it("Writes find all connections again after the server closed some of them", async () => {
    const source = open({ pool_settings: { max_connections: 4, pool_timeout: 5 } });
    const end = { text: "select pg_terminate_backend(pg_backend_pid())" };
    for (let i = 0; i < 8; i++) {
      await failure(source.transaction({}, (transaction) => transaction.query(end, [])));
      await failure(source.executeAlone({ isolation: "serializable" }, end, []));
      await failure(source.execute(end, []));
    }
    expect(await source.execute({ text: "select 'written'" }, [])).toEqual([["written"]]);
  });

  it("A write that waits for a connection longer than pool_timeout fails", async () => {
    await query(database.url, "create table blocked (id int)");
    const source = open({ pool_settings: { max_connections: 1, pool_timeout: 0.2 } });
    await one(source, "select 1"); // opens the connection, so that the first write need not wait for it
    const owner = openSingle();
    let first: Promise<unknown> = Promise.resolve();
    await owner.transaction({}, async (transaction) => {
      await transaction.query({ text: "lock table blocked" }, []);
      const write = { text: "insert into blocked values (1) returning id::text" };
      first = source.execute(write, []);
      const error = await failure(source.execute(write, []));
      expect(error).toMatchObject({
        code: "postgres-error",
        status: 500,
        message: "no database connection became free within 0.2 seconds",
      });
    });
    expect(await first).toEqual([["1"]]);
  });
});

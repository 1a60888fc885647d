import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPostgres, type PostgresEvents } from "../../runtime/sources/postgres/open-postgres.ts";
import { type PostgresConnectionInfo, resolvePostgresSettings } from "../../runtime/sources/postgres/settings.ts";
import type { DatabaseSource, PreparedStatement, SqlValue } from "../../runtime/sources/source.ts";
import { EngineError } from "../../runtime/support/errors.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let opened: DatabaseSource[] = [];

beforeAll(async () => {
  database = await createDatabase("postgres-source");
});

afterEach(async () => {
  await Promise.all(opened.map((source) => source.close()));
  opened = [];
});

afterAll(async () => {
  await database.drop();
});

function open(info: PostgresConnectionInfo = {}, events: PostgresEvents = {}): DatabaseSource {
  const settings = resolvePostgresSettings("default", { database_url: database.url, ...info }, { variables: {} });
  const source = openPostgres(settings, events);
  opened.push(source);
  return source;
}

/** A source with a single connection, so that a test knows which one it talks to. */
function openSingle(info: PostgresConnectionInfo = {}): DatabaseSource {
  return open({ pool_settings: { max_connections: 1 }, ...info });
}

async function one(source: DatabaseSource, text: string, ...values: SqlValue[]): Promise<SqlValue | undefined> {
  const rows = await source.query({ text }, values);
  return rows[0]?.[0];
}

async function failure(work: Promise<unknown>): Promise<EngineError> {
  const error = await work.then(
    () => new Error("it succeeded"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof EngineError) return error;
  throw error;
}

/** Names of the statements that the source's single connection has prepared. */
async function preparedNames(source: DatabaseSource): Promise<readonly SqlValue[]> {
  const rows = await source.query({ text: "select name from pg_prepared_statements where name <> '' order by 1" }, []);
  return rows.map((row) => row[0] ?? null);
}

async function terminateAll(): Promise<void> {
  await query(
    database.url,
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
}

describe("rows", () => {
  it("come as the server's text, NULL as null", async () => {
    const text =
      "select 9007199254740993::bigint, true, null, array[1,null], '{\"a\": 1}'::json, 1.50::numeric, '\\x00ff'::bytea, ''";
    expect(await open().query({ text }, [])).toEqual([
      ["9007199254740993", "t", null, "{1,NULL}", '{"a": 1}', "1.50", "\\x00ff", ""],
    ]);
  });

  it("take values as text", async () => {
    const text = "select $1::int + 1, $2::text, $3::text is null";
    expect(await open().query({ text, name: "values" }, ["41", "ä'\"\\ 🦔", null])).toEqual([["42", "ä'\"\\ 🦔", "t"]]);
  });

  it("are none for an empty result and for statements without one", async () => {
    expect(await open().query({ text: "select 1 where false" }, [])).toEqual([]);
    expect(await open().query({ text: "" }, [])).toEqual([]);
  });

  it("reach whoever asked, also with more requests than connections", async () => {
    const source = open({ pool_settings: { max_connections: 3 } });
    const numbers = Array.from({ length: 200 }, (_, i) => String(i));
    const answers = numbers.map((n) =>
      source.query({ text: `select $1::int + ${Number(n) % 7}`, name: `n${Number(n) % 7}` }, [n]),
    );
    const rows = await Promise.all(answers);
    expect(rows.map((row) => row[0]?.[0])).toEqual(numbers.map((n) => String(Number(n) + (Number(n) % 7))));
    expect(
      Number(
        await one(
          source,
          "select count(*) from pg_stat_activity where application_name = 'engine' and datname = current_database()",
        ),
      ),
    ).toBeLessThanOrEqual(3);
  });
});

describe("prepared statements", () => {
  it("are prepared once per connection and bounded", async () => {
    const source = openSingle();
    for (let i = 0; i < 300; i++) {
      expect(await source.query({ text: `select ${i}`, name: `plan${i}` }, [])).toEqual([[String(i)]]);
    }
    const names = await preparedNames(source);
    expect(names).toHaveLength(256);
    expect(names).not.toContain("plan43");
    expect(names).toContain("plan44");
    expect(await source.query({ text: "select 0", name: "plan0" }, [])).toEqual([["0"]]);
    expect(await preparedNames(source)).toHaveLength(256);
  });

  it("never answer for another text of the same name", async () => {
    const source = openSingle();
    await source.query({ text: "select 'old'", name: "plan" }, []);
    expect(await source.query({ text: "select 'new'", name: "plan" }, [])).toEqual([["new"]]);
  });

  it("are not used when switched off", async () => {
    const source = openSingle({ use_prepared_statements: false });
    await source.query({ text: "select 1", name: "plan" }, []);
    expect(await preparedNames(source)).toEqual([]);
  });

  it("survive an error of their own", async () => {
    const source = openSingle();
    const statement = { text: "select 1 / $1::int", name: "divide" };
    expect((await failure(source.query(statement, ["0"]))).code).toBe("data-exception");
    expect(await source.query(statement, ["1"])).toEqual([["1"]]);
    expect((await failure(source.query(statement, ["0"]))).code).toBe("data-exception");
    expect(await source.query(statement, ["1"])).toEqual([["1"]]);
  });

  it("can be right after having been wrong", async () => {
    const source = openSingle();
    const statement = { text: "select * from comes_later", name: "later" };
    expect((await failure(source.query(statement, []))).code).toBe("unexpected");
    await query(database.url, "create table comes_later as select 1 as a");
    expect(await source.query(statement, [])).toEqual([["1"]]);
    expect(await preparedNames(source)).toEqual(["later"]);
  });

  it("follow a table whose columns change", async () => {
    const source = openSingle();
    await query(database.url, "create table changing as select 1 as a");
    const statement = { text: "select * from changing", name: "changing" };
    expect(await source.query(statement, [])).toEqual([["1"]]);
    await query(database.url, "alter table changing add b int default 2");
    expect(await source.query(statement, [])).toEqual([["1", "2"]]);
    await query(database.url, "alter table changing add c int default 3");
    expect(await source.transaction({}, (transaction) => transaction.query(statement, []))).toEqual([["1", "2", "3"]]);
    expect(await preparedNames(source)).toEqual(["changing"]);
  });
});

/** A transaction-mode pooler gives the next statement another server connection, which lacks or has other names. */
describe("behind a pooler", () => {
  const statement = { text: "select $1::text", name: "pooled" };
  const missing = { text: "deallocate all" };
  const taken = { text: "prepare pooled as select 'of another client'" };

  it.each<[string, PreparedStatement, boolean]>([
    ["does not exist", missing, true],
    ["already exists", taken, false],
  ])("that says %s, statements are no longer prepared", async (_, pooler, usedBefore) => {
    const source = openSingle();
    if (usedBefore) await source.query(statement, ["a"]);
    await source.query(pooler, []);
    expect(await source.query(statement, ["b"])).toEqual([["b"]]);
    await source.query({ text: "deallocate all" }, []);
    await source.query({ text: "select 1", name: "another" }, []);
    expect(await preparedNames(source)).toEqual([]);
  });

  it.each<[string, PreparedStatement, boolean]>([
    ["missing", missing, true],
    ["taken", taken, false],
  ])("statements that must be prepared are prepared again when the name is %s", async (_, pooler, usedBefore) => {
    const source = openSingle({ use_prepared_statements: true });
    if (usedBefore) await source.query(statement, ["a"]);
    await source.query(pooler, []);
    expect(await source.query(statement, ["b"])).toEqual([["b"]]);
    expect(await preparedNames(source)).toEqual(["pooled"]);
  });

  it("a transaction begins again, with its session variables", async () => {
    const source = openSingle();
    const insert = {
      text: "insert into pooled_writes values (current_setting('engine.user')) returning 1",
      name: "write",
    };
    await query(database.url, "create table pooled_writes (by_whom text)");
    await source.query({ text: "prepare write as select 1" }, []);
    await source.transaction({ user: "ann" }, async (transaction) => {
      expect(await transaction.query(insert, [])).toEqual([["1"]]);
      expect(await transaction.query(insert, [])).toEqual([["1"]]);
    });
    expect(await query(database.url, "select * from pooled_writes")).toEqual([{ by_whom: "ann" }, { by_whom: "ann" }]);
  });

  it("later statements of a transaction, which could not begin again, are not prepared", async () => {
    const source = openSingle();
    await source.query(taken, []);
    const rows = await source.transaction({}, async (transaction) => {
      await transaction.query({ text: "select 1", name: "first" }, []);
      return await transaction.query(statement, ["b"]);
    });
    expect(rows).toEqual([["b"]]);
  });

  it("an error inside a function that speaks of other prepared statements is the function's own", async () => {
    const source = openSingle();
    await query(
      database.url,
      "create function executes() returns int language plpgsql as $$ begin execute 'execute nothing'; return 1; end $$",
    );
    const error = await failure(source.query({ text: "select executes()", name: "calls" }, []));
    expect(error.internal).toMatchObject({ prepared: true, error: { status_code: "26000" } });
    await source.query(statement, ["a"]);
    expect(await preparedNames(source)).toContain("pooled");
  });
});

describe("errors of the database", () => {
  let source: DatabaseSource;

  beforeAll(async () => {
    await query(
      database.url,
      `create table parent (id int primary key, name text unique, age int not null check (age > 0));
       create table child (parent_id int references parent on delete restrict);
       create extension if not exists btree_gist;
       create table room (at int4range, exclude using gist (at with &&));
       insert into parent values (1, 'ann', 30); insert into child values (1); insert into room values ('[1,3]');`,
    );
  });

  beforeEach(() => {
    source = openSingle();
  });

  it.each<[string, string, number, string, string]>([
    [
      "23001",
      // what a foreign key with `on delete restrict` raises since PostgreSQL 18
      "do $$ begin raise 'still used' using errcode = '23001'; end $$",
      400,
      "constraint-violation",
      "Can not delete or update due to data being referred. still used",
    ],
    [
      "23502",
      "insert into parent values (2)",
      400,
      "constraint-violation",
      'Not-NULL violation. null value in column "age" of relation "parent" violates not-null constraint',
    ],
    [
      "23503",
      "insert into child values (9)",
      400,
      "constraint-violation",
      'Foreign key violation. insert or update on table "child" violates foreign key constraint "child_parent_id_fkey"',
    ],
    [
      "23505",
      "insert into parent values (1, 'bob', 1)",
      400,
      "constraint-violation",
      'Uniqueness violation. duplicate key value violates unique constraint "parent_pkey"',
    ],
    [
      "23514",
      "insert into parent values (3, 'c', 0)",
      400,
      "permission-error",
      'Check constraint violation. new row for relation "parent" violates check constraint "parent_age_check"',
    ],
    [
      "23P01",
      "insert into room values ('[2,4]')",
      400,
      "constraint-violation",
      'Exclusion violation. conflicting key value violates exclusion constraint "room_at_excl"',
    ],
    ["22P02", "select 'abc'::integer", 400, "data-exception", 'invalid input syntax for type integer: "abc"'],
    ["22025", "select 'a' like '\\'", 400, "bad-request", "LIKE pattern must not end with escape character"],
    [
      "42P10",
      "insert into parent values (4, 'd', 1) on conflict (age) do nothing",
      400,
      "constraint-error",
      "there is no unique or exclusion constraint on target column(s)",
    ],
    [
      "42704",
      "insert into parent values (4, 'd', 1) on conflict on constraint nope do nothing",
      400,
      "constraint-error",
      'constraint "nope" for table "parent" does not exist',
    ],
    ["42883", "select no_such_function()", 500, "unexpected", "database query error"],
    ["42P01", "select * from no_such_table", 500, "unexpected", "database query error"],
    ["P0001", "do $$ begin raise 'mine'; end $$", 500, "unexpected", "database query error"],
    [
      "40001",
      "do $$ begin raise 'serialize' using errcode = '40001'; end $$",
      500,
      "unexpected",
      "database query error",
    ],
  ])("%s", async (state, text, status, code, message) => {
    const error = await failure(source.execute({ text }, []));
    expect({ status: error.status, code: error.code, message: error.message, path: error.path }).toEqual({
      status,
      code,
      message,
      path: "$",
    });
    const internal = { statement: text, arguments: [], prepared: false, error: { status_code: state } };
    if (code === "unexpected") expect(error.internal).toMatchObject(internal);
    else expect(error.internal).toBeUndefined();
  });

  it("show the administrator what ran", async () => {
    const text = "do $$ begin raise 'no' using detail = 'in detail', hint = 'a hint'; end $$";
    const error = await failure(source.execute({ text, name: "raises" }, []));
    expect(JSON.stringify(error.internal)).toBe(
      JSON.stringify({
        statement: text,
        arguments: [],
        prepared: true,
        error: {
          exec_status: "FatalError",
          status_code: "P0001",
          message: "no",
          description: "in detail",
          hint: "a hint",
        },
      }),
    );
  });

  it("do not cost the connection", async () => {
    const process = await one(source, "select pg_backend_pid()");
    await failure(source.query({ text: "select 1/0" }, []));
    expect(await one(source, "select pg_backend_pid()")).toBe(process);
  });

  it("use the table of JSON data operations where asked to", async () => {
    const run = (text: string): Promise<EngineError> =>
      failure(source.transaction({ errors: "dml" }, (transaction) => transaction.query({ text }, [])));
    expect(await run("select * from no_such_table")).toMatchObject({ code: "constraint-error", status: 400 });
    expect(await run("do $$ begin raise 'x' using errcode = '40P01'; end $$")).toMatchObject({
      code: "concurrent-update",
      message: "serialization failure due to concurrent update",
    });
  });

  it("refuse more parameters than the protocol can count, and go on", async () => {
    const values = Array.from({ length: 70_000 }, () => "1");
    const error = await failure(source.query({ text: "select 1", name: "many" }, values));
    expect(error).toMatchObject({ code: "unexpected", status: 500, message: "database query error" });
    expect(error.internal).toMatchObject({ error: "a statement can have at most 65535 parameters, not 70000" });
    expect(await one(source, "select 1")).toBe("1");
  });

  it("refuse COPY from the client instead of waiting for it", async () => {
    expect((await failure(source.execute({ text: "copy parent from stdin" }, []))).code).toBe("unexpected");
    expect(await one(source, "select 1")).toBe("1");
  });
});

describe("transactions", () => {
  beforeAll(async () => {
    await query(
      database.url,
      `create table ledger (id serial, note text, by_whom text);
       create function stamp() returns trigger language plpgsql as
         $$ begin new.by_whom := current_setting('engine.user', true); return new; end $$;
       create trigger stamp before insert on ledger for each row execute function stamp();
       create table deferred_unique (id int unique deferrable initially deferred);`,
    );
  });

  const add = { text: "insert into ledger (note) values ($1) returning note, by_whom", name: "addLedger" };
  const notes = async (): Promise<unknown[]> =>
    (await query(database.url, "select note from ledger order by id")).map((row) => row.note);

  beforeEach(async () => {
    await query(database.url, "truncate ledger");
  });

  it("commit what was done, with the session variables set for triggers", async () => {
    const source = openSingle();
    const user = '{"x-engine-role":"us\'er"}';
    const rows = await source.transaction({ user }, async (transaction) => [
      ...(await transaction.query(add, ["a"])),
      ...(await transaction.query(add, ["b"])),
    ]);
    expect(rows).toEqual([
      ["a", user],
      ["b", user],
    ]);
    expect(await notes()).toEqual(["a", "b"]);
    expect(await one(source, "select coalesce(current_setting('engine.user', true), '')")).toBe("");
  });

  it("roll back when the work throws, and rethrow that error", async () => {
    const source = openSingle();
    const mine = new Error("mine");
    const work = source.transaction({}, async (transaction) => {
      await transaction.query(add, ["a"]);
      throw mine;
    });
    await expect(work).rejects.toBe(mine);
    expect(await notes()).toEqual([]);
    expect(await one(source, "select pg_current_xact_id_if_assigned() is null")).toBe("t");
  });

  it("roll back after a failed statement and report that", async () => {
    const source = openSingle();
    const work = source.transaction({}, async (transaction) => {
      await transaction.query(add, ["a"]);
      await transaction.query({ text: "select 1/0" }, []);
    });
    expect((await failure(work)).code).toBe("data-exception");
    expect(await notes()).toEqual([]);
  });

  it("do not pretend to have committed when the work hides a failure", async () => {
    const work = openSingle().transaction({}, async (transaction) => {
      await transaction.query(add, ["a"]);
      await transaction.query({ text: "select 1/0" }, []).catch(() => undefined);
    });
    await expect(work).rejects.toThrow("a transaction with a failed statement cannot be committed");
    expect(await notes()).toEqual([]);
  });

  it("report what the server checks at the end", async () => {
    const source = openSingle();
    const work = source.transaction({}, (transaction) =>
      transaction.query({ text: "insert into deferred_unique values (1), (1)" }, []),
    );
    const error = await failure(work);
    expect(error).toMatchObject({
      code: "constraint-violation",
      message: expect.stringMatching(/^Uniqueness violation. /),
    });
    expect(await one(source, "select count(*) from deferred_unique")).toBe("0");
  });

  it("have the source's isolation level unless told otherwise", async () => {
    const source = openSingle({ isolation_level: "repeatable-read" });
    const level = (isolation?: string): Promise<unknown> =>
      source.transaction({ ...(isolation && { isolation }) }, (transaction) =>
        transaction.query(
          { text: "select current_setting('transaction_isolation'), current_setting('transaction_read_only')" },
          [],
        ),
      );
    expect(await level()).toEqual([["repeatable read", "off"]]);
    expect(await level("serializable")).toEqual([["serializable", "off"]]);
  });

  it("refuse writes when read-only", async () => {
    const work = openSingle().transaction({ readOnly: true }, (transaction) => transaction.query(add, ["a"]));
    expect((await failure(work)).internal).toMatchObject({ error: { status_code: "25006" } });
  });

  it("refuse statements that overlap", async () => {
    const work = openSingle().transaction({}, (transaction) =>
      Promise.all([transaction.query(add, ["a"]), transaction.query(add, ["b"])]),
    );
    await expect(work).rejects.toThrow("one after the other");
    expect(await notes()).toEqual([]);
  });

  it("cost nothing when the work asks for nothing", async () => {
    expect(await openSingle().transaction({}, async () => "done")).toBe("done");
  });

  it("prepare their first statement by name", async () => {
    const source = openSingle();
    await source.transaction({}, (transaction) => transaction.query(add, ["a"]));
    expect(await preparedNames(source)).toEqual(["addLedger"]);
  });

  it("let SQL text and statements share one transaction", async () => {
    const source = openSingle();
    const rows = await source.transaction({ user: "ann" }, async (transaction) => {
      await transaction.runSql("create temp table t on commit drop as select current_setting('engine.user') as u");
      return await transaction.query({ text: "select u from t" }, []);
    });
    expect(rows).toEqual([["ann"]]);
  });
});

describe("lost connections", () => {
  it("are replaced for the next reads", async () => {
    const source = open({ pool_settings: { max_connections: 5 } });
    const all = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 5 }, () => one(source, "select pg_sleep(0.05)::text || 'ok'")));
    await all();
    await terminateAll();
    expect(await all()).toEqual(["ok", "ok", "ok", "ok", "ok"]);
  });

  it("are reported when nobody was using them", async () => {
    const lost = new Promise<string>((resolve) => {
      const source = open({}, { onIdleConnectionLost: resolve });
      one(source, "select 1").then(terminateAll, resolve);
    });
    expect(await lost).toMatch(/terminating connection|terminated unexpectedly/);
  });

  it("repeat a read that was under way", async () => {
    const source = openSingle();
    await query(database.url, "create table attempts (n int); create sequence attempt");
    // the first attempt ends its own connection; sequences do not roll back, so the second one sees it
    const text =
      "select case when nextval('attempt') = 1 then pg_terminate_backend(pg_backend_pid())::text else 'again' end";
    expect(await one(source, text)).toBe("again");
  });

  it("do not repeat a write", async () => {
    const source = openSingle();
    await query(database.url, "create sequence written");
    const text = "select nextval('written'), pg_terminate_backend(pg_backend_pid())";
    const error = await failure(source.execute({ text }, []));
    expect(error).toMatchObject({ code: "postgres-error", status: 500, message: "connection error", path: "$" });
    expect(error.internal).toMatch(/terminating connection/);
    expect(await one(source, "select last_value from written")).toBe("1");
  });

  it("end a transaction with a connection error", async () => {
    const source = openSingle();
    const work = source.transaction({}, async (transaction) => {
      await transaction.query({ text: "select 1" }, []);
      await transaction.query({ text: "select pg_terminate_backend(pg_backend_pid())" }, []);
    });
    expect(await failure(work)).toMatchObject({ code: "postgres-error", status: 500, message: "connection error" });
    expect(await one(source, "select 1")).toBe("1");
  });

  it("repeat as often as configured", async () => {
    await query(database.url, "create sequence always");
    const text = "select nextval('always'), pg_terminate_backend(pg_backend_pid())";
    const source = open({ pool_settings: { retries: 3 } });
    expect((await failure(source.query({ text }, []))).message).toBe("connection error");
    expect(await one(source, "select last_value from always")).toBe("4");
  });
});

describe("a server that is away", () => {
  /** Stands between source and server and can be taken away. */
  let proxy: Server;
  let sockets: Set<Socket>;
  let url: string;
  let port: number;

  beforeEach(async () => {
    sockets = new Set();
    const server = new URL(database.url);
    const address = { port: Number(server.port), host: server.hostname };
    proxy = createServer((client) => {
      const upstream = connect(address);
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on("error", () => socket.destroy());
        socket.on("close", () => {
          client.destroy();
          upstream.destroy();
        });
      }
      client.pipe(upstream).pipe(client);
    });
    await listen(0);
    port = (proxy.address() as AddressInfo).port;
    server.port = String(port);
    url = server.href;
  });

  afterEach(async () => {
    await goAway();
    // the server goes on with what it was doing for a client that vanished
    await terminateAll();
  });

  function listen(where: number): Promise<void> {
    return new Promise((resolve) => proxy.listen(where, "127.0.0.1", resolve));
  }

  function goAway(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => proxy.close(() => resolve()));
  }

  it("gives connection errors, and answers as soon as it is back", async () => {
    const source = open({ database_url: url, pool_settings: { retries: 0 } });
    expect(await one(source, "select 1")).toBe("1");
    const running = failure(source.execute({ text: "select pg_sleep(20)" }, []));
    await expect
      .poll(() => query(database.url, "select 1 from pg_stat_activity where query like 'select pg_sleep(20)%'"))
      .toHaveLength(1);
    await goAway();
    expect(await running).toMatchObject({ code: "postgres-error", message: "connection error" });
    const error = await failure(source.query({ text: "select 1" }, []));
    expect(error).toMatchObject({ code: "postgres-error", status: 500, message: "connection error", path: "$" });
    expect(error.internal).toContain(`ECONNREFUSED 127.0.0.1:${port}`);
    await listen(port);
    expect(await one(source, "select 1")).toBe("1");
  });

  it("is waited for by repeated attempts", async () => {
    const source = open({ database_url: url, pool_settings: { retries: 5 } });
    await goAway();
    const answer = one(source, "select 1");
    setTimeout(() => void listen(port), 50);
    expect(await answer).toBe("1");
  });
});

describe("limits and ends", () => {
  it("tells when the server takes no more connections", async () => {
    const role = `${database.name}_limited`;
    await query(database.url, `create role "${role}" login password 'pw' connection limit 0`);
    try {
      const url = new URL(database.url);
      url.username = role;
      url.password = "pw";
      const error = await failure(open({ database_url: url.href }).query({ text: "select 1" }, []));
      expect(error).toMatchObject({
        code: "postgres-max-connections-error",
        status: 500,
        message: "max connections reached on postgres",
        internal: `too many connections for role "${role}"`,
      });
    } finally {
      await query(database.url, `drop role "${role}"`);
    }
  });

  it("waits for a connection no longer than pool_timeout", async () => {
    const source = open({ pool_settings: { max_connections: 1, pool_timeout: 0.1, retries: 2 } });
    await source.transaction({}, async (transaction) => {
      await transaction.query({ text: "select 1" }, []);
      const error = await failure(source.query({ text: "select 1" }, []));
      expect(error).toMatchObject({ code: "postgres-error", status: 500, message: "connection error" });
      expect(error.internal).toBe("timeout exceeded when trying to connect");
    });
  });

  it("closes after those who still need a connection, and then answers nobody", async () => {
    const source = openSingle();
    const answers = Array.from({ length: 3 }, (_, i) => one(source, `select pg_sleep(0.05)::text || ${i}`));
    await source.close();
    expect(await Promise.all(answers)).toEqual(["0", "1", "2"]);
    expect((await failure(source.query({ text: "select 1" }, []))).message).toBe("connection error");
    await source.close();
  });

  it("replaces connections when their lifetime is over", async () => {
    const source = open({ pool_settings: { max_connections: 1, connection_lifetime: 0.05 } });
    const first = await one(source, "select pg_backend_pid()");
    await expect.poll(() => one(source, "select pg_backend_pid()")).not.toBe(first);
  });
});

describe("connection settings", () => {
  it("never show the password, whatever fails", async () => {
    const url = new URL(database.url);
    url.port = "1";
    url.username = "me";
    url.password = "s3cret";
    const error = await failure(open({ database_url: url.href }).query({ text: "select 1" }, []));
    expect(error.message).toBe("connection error");
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("s3cret");
    expect(JSON.stringify(error.internal)).not.toContain("s3cret");
  });

  it("read a dynamic secret for every connection", async () => {
    const folder = mkdtempSync(join(tmpdir(), "secret-"));
    const file = join(folder, "url");
    const info = { database_url: { dynamic_from_file: file }, pool_settings: { max_connections: 1, retries: 0 } };
    const settings = resolvePostgresSettings("default", info, { variables: {}, dynamicSecretsPrefix: folder });
    const source = openPostgres(settings);
    opened.push(source);
    try {
      expect((await failure(source.query({ text: "select 1" }, []))).internal).toMatch(/ENOENT/);
      writeFileSync(file, `${database.url}\n`);
      expect(await one(source, "select 1")).toBe("1");
      writeFileSync(file, "postgres://h:s3cret");
      expect(await one(source, "select 1")).toBe("1");
      await failure(source.execute({ text: "select pg_terminate_backend(pg_backend_pid())" }, []));
      const error = await failure(source.query({ text: "select 1" }, []));
      expect(error.message).toBe("invalid connection string: the port is not a number from 1 to 65535");
      writeFileSync(file, database.url);
      expect(await one(source, "select 1")).toBe("1");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("encrypt when the server can, unless told otherwise", async () => {
    const [server] = await query(database.url, "show ssl");
    const encrypted = (sslmode: string): Promise<unknown> =>
      one(open({ ssl_configuration: { sslmode } }), "select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    expect(await encrypted("prefer")).toBe(server?.ssl === "on" ? "t" : "f");
    expect(await encrypted("disable")).toBe("f");
    expect(await encrypted("allow")).toBe("f");
  });

  it("refuse to go on unencrypted when encryption is required", async () => {
    const [server] = await query(database.url, "show ssl");
    const source = open({ ssl_configuration: { sslmode: "require" } });
    const answer = one(source, "select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    if (server?.ssl === "on") expect(await answer).toBe("t");
    else expect((await failure(answer)).internal).toBe("The server does not support SSL connections");
  });

  it("set what the connection string asks for", async () => {
    const url = `${database.url}?application_name=mine&options=-c%20work_mem%3D5MB`;
    const source = open({ database_url: url });
    expect(
      await source.query({ text: "select current_setting('application_name'), current_setting('work_mem')" }, []),
    ).toEqual([["mine", "5MB"]]);
  });
});

describe("runSql", () => {
  const run = (source: DatabaseSource, sql: string): Promise<unknown> => source.runSql(sql, { readOnly: false });

  it("answers with the last statement's rows as text under their names", async () => {
    const sql =
      "select 'first'; select 1 as a, null as a, true, '{1,2}'::int[], '2020-01-02'::date as d union all select 2, 'x', null, null, null";
    expect(await run(open(), sql)).toEqual({
      result_type: "TuplesOk",
      result: [
        ["a", "a", "?column?", "int4", "d"],
        ["1", "NULL", "t", "{1,2}", "2020-01-02"],
        ["2", "x", "NULL", "NULL", "NULL"],
      ],
    });
  });

  it.each<[string, string, unknown]>([
    ["names without rows", "select 1 as a where false", { result_type: "TuplesOk", result: [["a"]] }],
    [
      "rows of a write",
      "create temp table r (a int); insert into r values (1) returning a",
      { result_type: "TuplesOk", result: [["a"], ["1"]] },
    ],
    ["nothing for a write", "select 1; create table made (a int)", { result_type: "CommandOk", result: null }],
    ["nothing for no statement", " ; ", { result_type: "CommandOk", result: null }],
    ["nothing for COPY to the client", "copy (select 1) to stdout", { result_type: "CommandOk", result: null }],
  ])("answers with %s", async (_, sql, expected) => {
    expect(await run(open(), sql)).toEqual(expected);
  });

  it("is one transaction", async () => {
    const source = open();
    const error = await failure(run(source, "create table half (a int); select 1/0"));
    expect(error).toMatchObject({ code: "postgres-error", status: 400, message: "query execution failed", path: "$" });
    expect(JSON.stringify(error.internal)).toBe(
      '{"statement":"create table half (a int); select 1/0","prepared":false,"arguments":[],' +
        '"error":{"exec_status":"FatalError","status_code":"22012","message":"division by zero","description":null,"hint":null}}',
    );
    expect(await one(source, "select to_regclass('half')")).toBeNull();
  });

  it("reports what fails at the end as its own failure", async () => {
    await query(database.url, "create table late (id int unique deferrable initially deferred)");
    const error = await failure(run(open(), "insert into late values (1), (1)"));
    expect(error).toMatchObject({ code: "postgres-error", status: 400, message: "query execution failed" });
  });

  it("refuses writes when read-only", async () => {
    const error = await failure(open().runSql("drop table if exists parent", { readOnly: true }));
    expect(error.internal).toMatchObject({
      error: { status_code: "25006", message: "cannot execute DROP TABLE in a read-only transaction" },
    });
  });

  it("shows triggers who asks", async () => {
    const result = await open().runSql("select current_setting('engine.user') as u", {
      readOnly: false,
      user: '{"a":1}',
    });
    expect(result.result).toEqual([["u"], ['{"a":1}']]);
  });

  it("leaves no trace in the session", async () => {
    const source = openSingle();
    await source.query({ text: "select 1", name: "kept" }, []);
    const before = await one(source, "select pg_backend_pid()");
    await run(
      source,
      "set search_path to nowhere; set role pg_monitor; prepare leak as select 1; create temp table leak (a int)",
    );
    const text =
      "select current_setting('search_path'), current_user = session_user, to_regclass('leak') is null, pg_backend_pid()";
    expect(await source.query({ text, name: "after" }, [])).toEqual([['"$user", public', "t", "t", before]]);
    expect(await preparedNames(source)).toEqual(["after"]);
    expect(await source.query({ text: "select 1", name: "kept" }, [])).toEqual([["1"]]);
  });

  it("refuses COPY from the client instead of waiting for it", async () => {
    await query(database.url, "create table copied (a int)");
    const error = await failure(run(open(), "copy copied from stdin"));
    expect(error.internal).toMatchObject({ error: { status_code: "57014" } });
  });

  it("may end the transaction itself", async () => {
    const source = openSingle();
    await run(source, "create table committed (a int); commit; begin; create table open_end (a int)");
    expect(
      await one(source, "select to_regclass('committed') is not null and to_regclass('open_end') is not null"),
    ).toBe("t");
  });
});

describe("runSqlWithoutTransaction", () => {
  it("runs statement by statement and answers with the last result", async () => {
    const sql = `
      create table apart (a int); -- a comment; with a semicolon
      create index concurrently on apart (a);
      insert into apart values (1); /* and ; another */
      select a as "b;c", $$;$$ as d from apart;`;
    expect(await open().runSqlWithoutTransaction(sql)).toEqual({
      result_type: "TuplesOk",
      result: [
        ["b;c", "d"],
        ["1", ";"],
      ],
    });
  });

  it("keeps what ran before a failure", async () => {
    const source = open();
    const error = await failure(
      source.runSqlWithoutTransaction("create table stays (a int); select 1/0; create table never (a int)"),
    );
    expect(error).toMatchObject({ code: "postgres-error", status: 400, message: "query execution failed" });
    expect(error.internal).toMatchObject({ statement: "select 1/0", prepared: false });
    expect(await one(source, "select to_regclass('stays') is not null and to_regclass('never') is null")).toBe("t");
  });

  it("does not hand on a transaction that was left open", async () => {
    const source = openSingle();
    await source.runSqlWithoutTransaction("begin; create table left_open (a int)");
    expect(await one(source, "select to_regclass('left_open')")).toBeNull();
    await failure(source.runSqlWithoutTransaction("begin; select 1/0"));
    expect(await one(source, "select 1")).toBe("1");
  });
});

/** Sources over PostgreSQL: transactions, and SQL of an administrator. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DatabaseSource } from "../../runtime/databases/sources/source.ts";
import { query } from "../support/database.ts";
import { database, failure, one, open, openSingle, preparedNames, useDatabase } from "../support/postgres-source.ts";

useDatabase();

describe("PostgreSQL transactions", () => {
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

  it("A transaction commits with the session variables set for triggers", async () => {
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

  it("A transaction rolls back if its work throws, and rethrows the error", async () => {
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

  it("A transaction rolls back after a failed statement and reports it", async () => {
    const source = openSingle();
    const work = source.transaction({}, async (transaction) => {
      await transaction.query(add, ["a"]);
      await transaction.query({ text: "select 1/0" }, []);
    });
    expect((await failure(work)).code).toBe("data-exception");
    expect(await notes()).toEqual([]);
  });

  it("A transaction whose work hides a failed statement is not reported as committed", async () => {
    const work = openSingle().transaction({}, async (transaction) => {
      await transaction.query(add, ["a"]);
      await transaction.query({ text: "select 1/0" }, []).catch(() => undefined);
    });
    await expect(work).rejects.toThrow("a transaction with a failed statement cannot be committed");
    expect(await notes()).toEqual([]);
  });

  it("A transaction reports deferred constraints at its end", async () => {
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

  it("A transaction committed with its last statement reports deferred constraints", async () => {
    const source = openSingle();
    const run = (text: string) =>
      source.transaction({ user: "ann" }, async (transaction) => {
        await transaction.query(add, ["a"]);
        return transaction.queryLast({ text }, []);
      });
    expect(await run("insert into deferred_unique values (7) returning id")).toEqual([["7"]]);
    expect(await one(source, "select count(*) from deferred_unique where id = 7")).toBe("1");
    const error = await failure(run("insert into deferred_unique values (7)"));
    expect(error).toMatchObject({
      code: "constraint-violation",
      message: expect.stringMatching(/^Uniqueness violation. /),
    });
    expect((await failure(run("select 1/0"))).code).toBe("data-exception");
    expect(await notes()).toEqual(["a"]);
  });

  it("A transaction has the source's isolation level unless it sets another", async () => {
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

  it("A read-only transaction refuses writes", async () => {
    const work = openSingle().transaction({ readOnly: true }, (transaction) => transaction.query(add, ["a"]));
    expect((await failure(work)).internal).toMatchObject({ error: { status_code: "25006" } });
  });

  it("A transaction refuses overlapping statements", async () => {
    const work = openSingle().transaction({}, (transaction) =>
      Promise.all([transaction.query(add, ["a"]), transaction.query(add, ["b"])]),
    );
    await expect(work).rejects.toThrow("one after the other");
    expect(await notes()).toEqual([]);
  });

  it("A transaction without statements returns the result of its work", async () => {
    expect(await openSingle().transaction({}, async () => "done")).toBe("done");
  });

  it("The first statement of a transaction is prepared", async () => {
    const source = openSingle();
    await source.transaction({}, (transaction) => transaction.query(add, ["a"]));
    expect(await preparedNames(source)).toEqual(["addLedger"]);
  });

  it("All statements of a repeatable transaction are prepared", async () => {
    const source = openSingle();
    await source.transaction({ repeatable: true, user: "ann" }, async (transaction) => {
      await transaction.query(add, ["a"]);
      return transaction.queryLast({ text: "select 1", name: "last" }, []);
    });
    expect((await preparedNames(source)).toSorted()).toEqual([
      "addLedger",
      "engine_begin_isolation_level_read_committed_read_write",
      "engine_commit",
      "engine_select_set_config_engine_user_1_true_",
      "last",
    ]);
  });

  it("SQL text and statements share one transaction", async () => {
    const source = openSingle();
    const rows = await source.transaction({ user: "ann" }, async (transaction) => {
      await transaction.runSql("create temp table t on commit drop as select current_setting('engine.user') as u");
      return await transaction.query({ text: "select u from t" }, []);
    });
    expect(rows).toEqual([["ann"]]);
  });
});

describe("Single-statement writes", () => {
  beforeAll(async () => {
    await query(
      database.url,
      `create table alone (note text unique deferrable initially deferred, by_whom text, begun_by text);
       create function note_begin() returns trigger language plpgsql as
         $$ begin perform set_config('alone.begun_by', current_setting('engine.user', true), true); return null; end $$;
       create trigger note_begin before insert on alone for each statement execute function note_begin();
       create function note_row() returns trigger language plpgsql as
         $$ begin
           new.by_whom := current_setting('engine.user', true);
           new.begun_by := current_setting('alone.begun_by', true);
           return new;
         end $$;
       create trigger note_row before insert on alone for each row execute function note_row();`,
    );
  });

  beforeEach(async () => {
    await query(database.url, "truncate alone");
  });

  const add = { text: "insert into alone (note) values ($1) returning by_whom, begun_by", name: "addAlone" };
  const level = "select current_setting('transaction_isolation'), current_setting('transaction_read_only')";

  it("A single write shows its session variables to statement and row triggers and leaves no setting behind", async () => {
    const source = openSingle();
    const user = '{"x-engine-role":"us\'er"}';
    expect(await source.executeAlone({ user, traceContext: "{}" }, add, ["a"])).toEqual([[user, user]]);
    expect(await one(source, "select coalesce(current_setting('engine.user', true), '')")).toBe("");
    expect(await one(source, "select count(*) from alone")).toBe("1");
  });

  it("A single write sends no BEGIN and COMMIT for an ordinary transaction", async () => {
    const source = openSingle();
    await source.executeAlone({ user: "ann" }, add, ["a"]);
    expect((await preparedNames(source)).toSorted()).toEqual([
      "addAlone",
      "engine_select_set_config_engine_user_1_true_",
    ]);
  });

  it("A single write reports deferred constraints and is rolled back", async () => {
    const source = openSingle();
    await source.executeAlone({ user: "ann" }, add, ["a"]);
    const error = await failure(source.executeAlone({ user: "ann" }, add, ["a"]));
    expect(error).toMatchObject({
      code: "constraint-violation",
      message: expect.stringMatching(/^Uniqueness violation. /),
    });
    expect(await source.executeAlone({ user: "ann" }, add, ["b"])).toEqual([["ann", "ann"]]);
    expect(await one(source, "select string_agg(note, ',' order by note) from alone")).toBe("a,b");
  });

  it("A failed single write leaves no transaction open", async () => {
    const source = openSingle();
    for (const timeoutMilliseconds of [undefined, 5000]) {
      const failed = source.executeAlone({ user: "ann", timeoutMilliseconds }, { text: "select 1/0" }, []);
      expect((await failure(failed)).code).toBe("data-exception");
      expect(await one(source, "select coalesce(current_setting('engine.user', true), '')")).toBe("");
    }
  });

  it("A single write has the source's isolation level, regardless of the database's default", async () => {
    const name = (await one(openSingle(), "select current_database()")) ?? "";
    expect(
      await openSingle({ isolation_level: "serializable" }).executeAlone({ user: "ann" }, { text: level }, []),
    ).toEqual([["serializable", "off"]]);
    await query(database.url, `alter database "${name}" set default_transaction_isolation = 'repeatable read'`);
    try {
      expect(await openSingle().executeAlone({ user: "ann" }, { text: level }, [])).toEqual([
        ["read committed", "off"],
      ]);
    } finally {
      await query(database.url, `alter database "${name}" reset default_transaction_isolation`);
    }
  });

  it("A single write runs again if the server refuses its name", async () => {
    const source = openSingle();
    await source.executeAlone({ user: "ann" }, add, ["a"]);
    await source.execute({ text: "deallocate all" }, []);
    expect(await source.executeAlone({ user: "ann" }, add, ["b"])).toEqual([["ann", "ann"]]);
    expect(await one(source, "select count(*) from alone")).toBe("2");
  });
});

describe("run_sql on PostgreSQL", () => {
  const run = (source: DatabaseSource, sql: string): Promise<unknown> => source.runSql(sql, { readOnly: false });

  it("run_sql returns the rows of its last statement as text with column names", async () => {
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
    ["no rows for a write", "select 1; create table made (a int)", { result_type: "CommandOk", result: null }],
    ["no rows for an empty statement", " ; ", { result_type: "CommandOk", result: null }],
    ["no rows for COPY to the client", "copy (select 1) to stdout", { result_type: "CommandOk", result: null }],
  ])("run_sql returns %s", async (_, sql, expected) => {
    expect(await run(open(), sql)).toEqual(expected);
  });

  it("run_sql runs in one transaction", async () => {
    const source = open();
    const error = await failure(run(source, "create table half (a int); select 1/0"));
    expect(error).toMatchObject({ code: "postgres-error", status: 400, message: "query execution failed", path: "$" });
    expect(JSON.stringify(error.internal)).toBe(
      '{"statement":"create table half (a int); select 1/0","prepared":false,"arguments":[],' +
        '"error":{"exec_status":"FatalError","status_code":"22012","message":"division by zero","description":null,"hint":null,"position":28}}',
    );
    expect(await one(source, "select to_regclass('half')")).toBeNull();
  });

  it("run_sql reports deferred constraints as its own failure", async () => {
    await query(database.url, "create table late (id int unique deferrable initially deferred)");
    const error = await failure(run(open(), "insert into late values (1), (1)"));
    expect(error).toMatchObject({ code: "postgres-error", status: 400, message: "query execution failed" });
  });

  it("run_sql refuses writes when read-only", async () => {
    const error = await failure(open().runSql("drop table if exists parent", { readOnly: true }));
    expect(error.internal).toMatchObject({
      error: { status_code: "25006", message: "cannot execute DROP TABLE in a read-only transaction" },
    });
  });

  it("run_sql shows its session variables to triggers", async () => {
    const result = await open().runSql("select current_setting('engine.user') as u", {
      readOnly: false,
      user: '{"a":1}',
    });
    expect(result.result).toEqual([["u"], ['{"a":1}']]);
  });

  it("run_sql leaves no settings in the session", async () => {
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

  it("run_sql refuses COPY from the client immediately", async () => {
    await query(database.url, "create table copied (a int)");
    const error = await failure(run(open(), "copy copied from stdin"));
    expect(error.internal).toMatchObject({ error: { status_code: "57014" } });
  });

  it("run_sql may end its transaction itself", async () => {
    const source = openSingle();
    await run(source, "create table committed (a int); commit; begin; create table open_end (a int)");
    expect(
      await one(source, "select to_regclass('committed') is not null and to_regclass('open_end') is not null"),
    ).toBe("t");
  });
});

describe("run_sql without a transaction", () => {
  it("run_sql without a transaction runs each statement and returns the last result", async () => {
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

  it("run_sql without a transaction keeps the statements before a failure", async () => {
    const source = open();
    const error = await failure(
      source.runSqlWithoutTransaction("create table stays (a int); select 1/0; create table never (a int)"),
    );
    expect(error).toMatchObject({ code: "postgres-error", status: 400, message: "query execution failed" });
    expect(error.internal).toMatchObject({ statement: "select 1/0", prepared: false });
    expect(await one(source, "select to_regclass('stays') is not null and to_regclass('never') is null")).toBe("t");
  });

  it("run_sql without a transaction closes a transaction that was left open", async () => {
    const source = openSingle();
    await source.runSqlWithoutTransaction("begin; create table left_open (a int)");
    expect(await one(source, "select to_regclass('left_open')")).toBeNull();
    await failure(source.runSqlWithoutTransaction("begin; select 1/0"));
    expect(await one(source, "select 1")).toBe("1");
  });
});

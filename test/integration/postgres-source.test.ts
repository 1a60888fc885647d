/** Sources over PostgreSQL: rows, prepared statements, errors. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DatabaseSource, PreparedStatement } from "../../runtime/databases/sources/source.ts";
import type { EngineError } from "../../runtime/values/errors.ts";
import { query } from "../support/database.ts";
import { database, failure, one, open, openSingle, preparedNames, useDatabase } from "../support/postgres-source.ts";

useDatabase();

describe("Rows of PostgreSQL", () => {
  it("Rows are returned as the server's text with NULL as null", async () => {
    const text =
      "select 9007199254740993::bigint, true, null, array[1,null], '{\"a\": 1}'::json, 1.50::numeric, '\\x00ff'::bytea, ''";
    expect(await open().query({ text }, [])).toEqual([
      ["9007199254740993", "t", null, "{1,NULL}", '{"a": 1}', "1.50", "\\x00ff", ""],
    ]);
  });

  it("Parameters are sent as text", async () => {
    const text = "select $1::int + 1, $2::text, $3::text is null";
    expect(await open().query({ text, name: "values" }, ["41", "ä'\"\\ 🦔", null])).toEqual([["42", "ä'\"\\ 🦔", "t"]]);
  });

  it("An empty result and a statement without a result have no rows", async () => {
    expect(await open().query({ text: "select 1 where false" }, [])).toEqual([]);
    expect(await open().query({ text: "" }, [])).toEqual([]);
  });

  it("Concurrent callers receive their own rows, even with more requests than connections", async () => {
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

describe("Prepared statements of PostgreSQL", () => {
  it("Statements are prepared once per connection and bounded in number", async () => {
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

  it("A statement is prepared again after a table whose rows it receives was replaced", async () => {
    const source = openSingle();
    const create = "create table replaced (id int); insert into replaced values (1)";
    const statement = { text: "select id from unnest($1::replaced[]) r", name: "rows" };
    await query(database.url, create);
    expect(await source.query(statement, ["{(1)}"])).toEqual([["1"]]);
    await query(database.url, `drop table replaced; ${create}`);
    expect(await source.query(statement, ["{(2)}"])).toEqual([["2"]]);
    await query(database.url, "drop table replaced");
  });

  it("A statement never runs the text of another one with the same name", async () => {
    const source = openSingle();
    await source.query({ text: "select 'old'", name: "plan" }, []);
    expect(await source.query({ text: "select 'new'", name: "plan" }, [])).toEqual([["new"]]);
  });

  it("A prepared statement receives a suitable plan after its unanalysed table has grown", async () => {
    const source = openSingle();
    await query(
      database.url,
      `create table growing (id int primary key, name text) with (autovacuum_enabled = false);
       insert into growing values (1, 'first');
       analyze growing`,
    );
    const statement = { text: "select name from growing where id = $1", name: "frequent" };
    const plan = async () => (await source.query({ text: "explain execute frequent ('1')" }, [])).flat().join("\n");
    for (let runs = 0; runs < 100; runs++) await source.query(statement, ["1"]);
    expect(await plan()).toContain("Seq Scan");
    await query(database.url, "insert into growing select n, n from generate_series(2, 20000) n");
    expect(await plan()).toContain("Seq Scan");
    expect(await source.query(statement, ["12345"])).toEqual([["12345"]]);
    expect(await plan()).toMatch(/Index .*Scan/);
  });

  it("Statements are not prepared if it is disabled", async () => {
    const source = openSingle({ use_prepared_statements: false });
    await source.query({ text: "select 1", name: "plan" }, []);
    expect(await preparedNames(source)).toEqual([]);
  });

  it("A prepared statement survives its own error", async () => {
    const source = openSingle();
    const statement = { text: "select 1 / $1::int", name: "divide" };
    expect((await failure(source.query(statement, ["0"]))).code).toBe("data-exception");
    expect(await source.query(statement, ["1"])).toEqual([["1"]]);
    expect((await failure(source.query(statement, ["0"]))).code).toBe("data-exception");
    expect(await source.query(statement, ["1"])).toEqual([["1"]]);
  });

  it("A statement that was invalid can be prepared once it is valid", async () => {
    const source = openSingle();
    const statement = { text: "select * from comes_later", name: "later" };
    expect((await failure(source.query(statement, []))).code).toBe("unexpected");
    await query(database.url, "create table comes_later as select 1 as a");
    expect(await source.query(statement, [])).toEqual([["1"]]);
    expect(await preparedNames(source)).toEqual(["later"]);
  });

  it("A prepared statement follows changed columns of its table", async () => {
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

/**
 * A pooler in transaction mode may run the next statement on another server connection, which lacks the prepared
 * statement or has another one of its name.
 */

describe("Prepared statements behind a pooler", () => {
  const statement = { text: "select $1::text", name: "pooled" };
  const missing = { text: "deallocate all" };
  const taken = { text: "prepare pooled as select 'of another client'" };

  it.each<[string, PreparedStatement, boolean]>([
    ["does not exist", missing, true],
    ["already exists", taken, false],
  ])("A pooler's error that a statement %s ends the use of prepared statements", async (_, pooler, usedBefore) => {
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
  ])("A statement that must be prepared is prepared again if its name is %s", async (_, pooler, usedBefore) => {
    const source = openSingle({ use_prepared_statements: true });
    if (usedBefore) await source.query(statement, ["a"]);
    await source.query(pooler, []);
    expect(await source.query(statement, ["b"])).toEqual([["b"]]);
    expect(await preparedNames(source)).toEqual(["pooled"]);
  });

  it("A transaction starts again with its session variables", async () => {
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

  it.each<[string, object, string]>([
    ["a later statement", {}, "prepare later as select 1"],
    ["a later statement that must be prepared", { use_prepared_statements: true }, "prepare later as select 1"],
    ["the beginning", {}, "prepare engine_begin_isolation_level_read_committed_read_write as select 1"],
    ["the end", {}, "prepare engine_commit as select 1"],
  ])("A repeatable transaction starts again if the name of %s is refused", async (_, settings, taken) => {
    const source = openSingle(settings);
    const insert = "insert into repeated_writes values (current_setting('engine.user'), $1) returning step";
    await query(
      database.url,
      "drop table if exists repeated_writes; create table repeated_writes (by_whom text, step text)",
    );
    await source.query({ text: taken }, []);
    const rows = await source.transaction({ user: "ann", repeatable: true }, async (transaction) => [
      ...(await transaction.query({ text: insert, name: "earlier" }, ["1"])),
      ...(await transaction.query({ text: insert, name: "later" }, ["2"])),
      ...(await transaction.queryLast({ text: insert, name: "last" }, ["3"])),
    ]);
    expect(rows).toEqual([["1"], ["2"], ["3"]]);
    expect(await query(database.url, "select * from repeated_writes")).toEqual([
      { by_whom: "ann", step: "1" },
      { by_whom: "ann", step: "2" },
      { by_whom: "ann", step: "3" },
    ]);
  });

  it("Later statements of a transaction that cannot start again are not prepared", async () => {
    const source = openSingle();
    await source.query(taken, []);
    const rows = await source.transaction({}, async (transaction) => {
      await transaction.query({ text: "select 1", name: "first" }, []);
      return await transaction.query(statement, ["b"]);
    });
    expect(rows).toEqual([["b"]]);
  });

  it("A function's own error about prepared statements does not disable them", async () => {
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

describe("Errors of PostgreSQL", () => {
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
      // the error that a foreign key with `on delete restrict` raises since PostgreSQL 18
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
  ])("The SQLSTATE is translated: %s", async (state, text, status, code, message) => {
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

  it("Internal details of an error contain the statement that ran", async () => {
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

  it("An error keeps the connection", async () => {
    const process = await one(source, "select pg_backend_pid()");
    await failure(source.query({ text: "select 1/0" }, []));
    expect(await one(source, "select pg_backend_pid()")).toBe(process);
  });

  it("Errors of JSON data operations use their own translation", async () => {
    const run = (text: string): Promise<EngineError> =>
      failure(source.transaction({ errors: "dml" }, (transaction) => transaction.query({ text }, [])));
    expect(await run("select * from no_such_table")).toMatchObject({ code: "constraint-error", status: 400 });
    expect(await run("do $$ begin raise 'x' using errcode = '40P01'; end $$")).toMatchObject({
      code: "concurrent-update",
      message: "serialization failure due to concurrent update",
    });
  });

  it("Too many parameters are refused, and the connection stays usable", async () => {
    const values = Array.from({ length: 70_000 }, () => "1");
    const error = await failure(source.query({ text: "select 1", name: "many" }, values));
    expect(error).toMatchObject({ code: "unexpected", status: 500, message: "database query error" });
    expect(error.internal).toMatchObject({ error: "a statement can have at most 65535 parameters, not 70000" });
    expect(await one(source, "select 1")).toBe("1");
  });

  it("COPY from the client is refused immediately", async () => {
    expect((await failure(source.execute({ text: "copy parent from stdin" }, []))).code).toBe("unexpected");
    expect(await one(source, "select 1")).toBe("1");
  });
});

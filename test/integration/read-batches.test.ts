/** Batched reads are independent: each runs, and returns its rows or its error. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { PostgresConnection } from "../../runtime/databases/sources/postgres/connection.ts";
import { openPostgres } from "../../runtime/databases/sources/postgres/open-postgres.ts";
import { resolvePostgresSettings } from "../../runtime/databases/sources/postgres/settings.ts";
import type { DatabaseSource, PreparedStatement } from "../../runtime/databases/sources/source.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let source: DatabaseSource;

beforeAll(async () => {
  database = await createDatabase("read-batches");
  const settings = resolvePostgresSettings("default", { database_url: database.url }, { variables: {} });
  source = openPostgres(settings);
});

afterEach(() => vi.restoreAllMocks());

afterAll(async () => {
  await source.close();
  await database.drop();
});

/** Requests all values in one turn; returns the number of connections that were used. */
async function together(statement: PreparedStatement, values: readonly string[]) {
  const run = vi.spyOn(PostgresConnection.prototype, "run");
  const runEach = vi.spyOn(PostgresConnection.prototype, "runEach");
  const answers = await Promise.allSettled(values.map((value) => source.query(statement, [value])));
  const texts = answers.map((answer) =>
    answer.status === "fulfilled" ? answer.value[0]?.[0] : (answer.reason as Error).message,
  );
  const batches = run.mock.calls.length + runEach.mock.calls.length;
  run.mockRestore();
  runEach.mockRestore();
  return { texts, batches };
}

/** Runs a statement until it is known to be fast, even on a busy machine. */
async function quick(statement: PreparedStatement, value: string): Promise<PreparedStatement> {
  for (let i = 0; i < 1000; i++) {
    await source.query(statement, [value]);
    if (i % 20 === 19 && (await together(statement, [value, value])).batches === 1) return statement;
  }
  throw new Error("no batch in 1,000 runs");
}

it("Each read of a batch receives its own rows", async () => {
  const statement = await quick({ text: "select $1::int * 2", name: "twice" }, "0");
  const numbers = Array.from({ length: 40 }, (_, i) => String(i));
  const { texts, batches } = await together(statement, numbers);
  expect(texts).toEqual(numbers.map((n) => String(Number(n) * 2)));
  expect(batches).toBeLessThan(40);
});

it("A failing read of a batch fails alone", async () => {
  const statement = await quick({ text: "select 12 / $1::int", name: "divide" }, "1");
  const { texts } = await together(statement, ["1", "2", "0", "3", "x", "4"]);
  expect(texts).toEqual([
    "12",
    "6",
    expect.stringContaining("division by zero"),
    "4",
    expect.stringContaining("x"),
    "3",
  ]);
});

it("A read that cannot be encoded fails alone", async () => {
  const statement = await quick({ text: "select $1::text", name: "echo" }, "");
  const wrong = 7 as unknown as string;
  const { texts } = await together(statement, ["a", wrong, "b"]);
  expect(texts).toEqual(["a", expect.stringContaining("database query error"), "b"]);
});

it("Every read of a batch runs, even if equal", async () => {
  await query(database.url, "create sequence runs");
  const statement = await quick({ text: "select nextval('runs'), $1::text", name: "count" }, "");
  const { texts } = await together(
    statement,
    Array.from({ length: 24 }, () => "same"),
  );
  expect(new Set(texts).size).toBe(24);
});

it("Reads of a lost connection are repeated", async () => {
  const statement = await quick({ text: "select $1::text", name: "lost" }, "");
  await query(
    database.url,
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  const { texts } = await together(statement, ["a", "b", "c", "d"]);
  expect(texts).toEqual(["a", "b", "c", "d"]);
});

it("Reads that were not prepared because of an earlier failure run again", async () => {
  await query(database.url, "create table changing (a int); insert into changing values (1)");
  const statement = await quick({ text: "select *, $1::text from changing", name: "changing" }, "");
  await query(database.url, "alter table changing add b int default 2");
  const { texts } = await together(statement, ["a", "b", "c"]);
  expect(texts).toEqual(["1", "1", "1"]);
  expect((await source.query({ text: "select name from pg_prepared_statements" }, [])).flat()).toContain("changing");
});

it("A slow read delays other reads only briefly", async () => {
  const statement = await quick({ text: "select pg_sleep($1::float8)::text || $1", name: "sleep" }, "0");
  const long = source.query(statement, ["20"]).catch(() => undefined);
  const { texts } = await together(statement, ["0", "0.001"]);
  expect(texts).toEqual(["0", "0.001"]);
  await query(
    database.url,
    "select pg_cancel_backend(pid) from pg_stat_activity where query ~ 'pg_sleep' and pid <> pg_backend_pid()",
  );
  await long;
}, 15_000);

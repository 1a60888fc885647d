/** Requests that share a database connection, concurrently or consecutively, do not see each other's data. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgres } from "../../../runtime/databases/sources/postgres/open-postgres.ts";
import { resolvePostgresSettings } from "../../../runtime/databases/sources/postgres/settings.ts";
import type { DatabaseSource, PreparedStatement, TextRow } from "../../../runtime/databases/sources/source.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { startProxy } from "../../support/database-proxy.ts";

let database: TestDatabase;
let source: DatabaseSource;

beforeAll(async () => {
  database = await createDatabase("shared-connections");
  // One connection, shared by all statements of a batch.
  const info = { database_url: database.url, pool_settings: { max_connections: 1 } };
  source = openPostgres(resolvePostgresSettings("default", info, { variables: {} }));
});

afterAll(async () => {
  await source.close();
  await database.drop();
});

const read = (statement: PreparedStatement, ...values: string[]): Promise<readonly TextRow[]> =>
  source.query(statement, values);

/** Runs the statements until they are known to be fast, so that they are batched from now on. */
async function warmUp(...statements: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (let i = 0; i < 200; i++) for (const statement of statements) await statement();
}

describe("Batched reads", () => {
  it("A batched read does not see another read's transaction setting", async () => {
    const set: PreparedStatement = { text: "select set_config('app.user', $1, true)", name: "set_user" };
    const get: PreparedStatement = { text: "select coalesce(current_setting('app.user', true), '')", name: "get_user" };
    await warmUp(
      () => read(set, "nobody"),
      () => read(get),
    );
    for (let i = 0; i < 20; i++) {
      const answers = await Promise.all([read(set, "secret"), read(get), read(set, "secret"), read(get)]);
      expect(answers.map(([row]) => row?.[0])).toEqual(["secret", "", "secret", ""]);
    }
  });

  it("Batched reads run in separate transactions with their own time, and fail separately", async () => {
    const now: PreparedStatement = { text: "select now()::text, txid_current()::text, 1 / $1::int", name: "now" };
    await warmUp(() => read(now, "1"));
    const answers = await Promise.allSettled(["1", "1", "0", "1"].map((value) => read(now, value)));
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    const transactions = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value[0]?.[1]] : []));
    expect(new Set(transactions).size).toBe(3);
  });
});

describe("Reads that write", () => {
  beforeAll(() =>
    query(
      database.url,
      `create table written (value text);
       create function write_down(value text, seconds float8) returns text language plpgsql volatile as $$
         begin insert into written values (value); perform pg_sleep(seconds); return value; end $$;`,
    ),
  );

  const write: PreparedStatement = { text: "select write_down($1, $2::float8)", name: "write_down" };
  const times = async (value: string): Promise<number> =>
    (await query(database.url, "select 1 from written where value = $1", [value])).length;

  it("A slow read that writes takes effect once", async () => {
    await warmUp(() => read(write, "warm", "0"));
    const values = ["a", "b", "c", "d"];
    const answers = await Promise.all(values.map((value) => read(write, value, value === "b" ? "0.4" : "0")));
    expect(answers.map(([row]) => row?.[0])).toEqual(values);
    expect(await Promise.all(values.map(times))).toEqual([1, 1, 1, 1]);
  });

  it("A read that writes is not sent again if its connection is lost", async () => {
    const { url, cut, close } = await startProxy(database.url);
    const lost = openPostgres(
      resolvePostgresSettings("default", { database_url: url, pool_settings: { retries: 3 } }, { variables: {} }),
    );
    try {
      const answer = lost.query(write, ["cut", "0.3"]).then(
        () => "answered",
        () => "failed",
      );
      const running = "select 1 from pg_stat_activity where query like 'select write_down%' and state = 'active'";
      await expect.poll(async () => (await query(database.url, running)).length).toBe(1);
      cut();
      expect(await answer).toBe("failed");
      await expect.poll(() => times("cut")).toBe(1);
    } finally {
      await lost.close();
      await close();
    }
    expect(await times("cut")).toBe(1);
  });
});

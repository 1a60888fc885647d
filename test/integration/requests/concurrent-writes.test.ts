/** Concurrent and interrupted writes: no write is lost or half done, and the pool recovers. */
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await query(
    server.databaseUrl,
    `create table counter (key integer primary key, n integer not null);
     create function add_up() returns trigger language plpgsql as $$
       begin
         new.n := old.n + new.n;
         return new;
       end $$;
     create trigger add_up before update on counter for each row execute function add_up();
     create table account (id integer primary key, balance integer not null);
     create table note (id serial primary key, text text not null);`,
  );
  const tables = ["counter", "account", "note"];
  await server.metadata(
    "bulk",
    tables.map((table) => ({ type: "pg_track_table", args: { table } })),
  );
});

afterAll(() => server.close());

beforeEach(async () => {
  await query(
    server.databaseUrl,
    "truncate counter, account, note; insert into account select i, 100 from generate_series(1, 10) i",
  );
});

/** Returns a generator of reproducible pseudo-random numbers. */
function pseudoRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const upsert = (name: string, key: string): string =>
  `${name}: insert_counter(objects: {key: ${key}, n: 1},
    on_conflict: {constraint: counter_pkey, update_columns: [n]}) { affected_rows }`;
const single = `mutation ($key: Int!) { ${upsert("a", "$key")} }`;

describe("Concurrent writes", () => {
  it("Concurrent upserts on the same keys lose no update", { timeout: 180_000 }, async () => {
    const clients = Array.from({ length: 8 }, async (_, client) => {
      const random = pseudoRandom(client + 1);
      let affected = 0;
      const run = async (text: string, variables?: object): Promise<void> => {
        const { json } = await server.post("/v1/graphql", { query: text, variables });
        expect(json).toHaveProperty("data");
        for (const { affected_rows } of Object.values<{ affected_rows: number }>(json.data)) affected += affected_rows;
      };
      for (let i = 0; i < 1000; i++) await run(single, { key: random(50) });
      // Several writes in one transaction, in the same order for all clients, so that they cannot deadlock.
      for (let i = 0; i < 100; i++) {
        const keys = Array.from({ length: 10 }, () => random(50)).sort((a, b) => a - b);
        await run(`mutation { ${keys.map((key, at) => upsert(`a${at}`, String(key))).join(" ")} }`);
      }
      return affected;
    });
    expect(await Promise.all(clients)).toEqual(Array.from({ length: 8 }, () => 2000));
    const [row] = await query(server.databaseUrl, "select count(*)::int as keys, sum(n)::int as upserts from counter");
    expect(row).toEqual({ keys: 50, upserts: 16_000 });
  });

  it("Writes are all or nothing while connections are killed", { timeout: 120_000 }, async () => {
    let isDone = false;
    let failed = 0;
    let succeeded = 0;
    const transfer = `mutation ($from: Int!, $to: Int!) {
      a: update_account_by_pk(pk_columns: {id: $from}, _inc: {balance: -1}) { id }
      b: update_account_by_pk(pk_columns: {id: $to}, _inc: {balance: 1}) { id }
    }`;
    const clients = Array.from({ length: 4 }, async (_, client) => {
      const random = pseudoRandom(client + 1);
      for (let i = 0; i < 200; i++) {
        const [from, to] = [random(10) + 1, random(10) + 1].sort((a, b) => a - b);
        const { json } = await server.post("/v1/graphql", { query: transfer, variables: { from, to } });
        if ("data" in json) succeeded++;
        else failed++;
      }
    });
    const killer = (async () => {
      while (!isDone) {
        await query(server.databaseUrl, `${terminate} and state <> 'idle' limit 1`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    await Promise.all(clients);
    isDone = true;
    await killer;
    expect(succeeded + failed).toBe(800);
    expect(succeeded).toBeGreaterThan(0);
    const [row] = await query(server.databaseUrl, "select sum(balance)::int as total from account");
    expect(row).toEqual({ total: 1000 });
    await expectRecovered();
  });
});

/** Ends connections of the engine. */
const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'engine' and pid <> pg_backend_pid()`;

/** Checks that requests succeed again, and no connection stays in a transaction. */
async function expectRecovered(): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => server.graphql("{ account_by_pk(id: 1) { id } }")),
  );
  expect(answers).toEqual(answers.map(() => ({ data: { account_by_pk: { id: 1 } } })));
  const open = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`;
  await expect.poll(async () => (await query(server.databaseUrl, open))[0]).toEqual({ n: 0 });
}

describe("Interrupted writes", () => {
  let lock: pg.Client;
  /** A mutation whose second field waits for a row that another session has locked. */
  const text = `mutation {
    insert_note(objects: {text: "first"}) { affected_rows }
    update_account(where: {id: {_eq: 1}}, _set: {balance: 0}) { affected_rows }
    last: insert_note(objects: {text: "last"}) { affected_rows }
  }`;
  const isWaiting = async (): Promise<boolean> => {
    const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await query(server.databaseUrl, sql)).length === 1;
  };
  const notes = async () =>
    (await query(server.databaseUrl, "select text from note order by id")).map((row) => row.text);

  beforeEach(async () => {
    lock = new pg.Client({ connectionString: server.databaseUrl });
    await lock.connect();
    await lock.query("begin; select * from account where id = 1 for update");
  });

  it("A write on a killed connection leaves no rows and reports the error", async () => {
    const answer = server.post("/v1alpha1/graphql", { query: text });
    await expect.poll(isWaiting).toBe(true);
    await query(server.databaseUrl, `${terminate} and wait_event_type = 'Lock'`);
    const { status, json } = await answer;
    expect(status).toBe(500);
    expect(json).toMatchObject({
      errors: [{ message: "connection error", extensions: { code: "postgres-error", path: "$" } }],
    });
    await lock.query("rollback");
    await lock.end();
    expect(await notes()).toEqual([]);
    await expectRecovered();
  });

  it("A write of a disconnected client is complete or absent", async () => {
    const abort = new AbortController();
    const body = JSON.stringify({ query: text });
    const headers = { "content-type": "application/json" };
    const answer = fetch(`${server.url}/v1/graphql`, { method: "POST", headers, body, signal: abort.signal });
    await expect.poll(isWaiting).toBe(true);
    abort.abort();
    await expect(answer).rejects.toThrow(/abort/i);
    await lock.query("rollback");
    await lock.end();
    await expectRecovered();
    const written = await notes();
    const [account] = await query(server.databaseUrl, "select balance from account where id = 1");
    expect([
      { written: [], balance: 100 },
      { written: ["first", "last"], balance: 0 },
    ]).toContainEqual({ written, balance: account?.balance });
  });

  it("A serialization failure or deadlock leaves no rows", async () => {
    await lock.query("rollback");
    await lock.end();
    const ordered = (first: number, second: number): string => `mutation {
      insert_note(objects: {text: "${first}"}) { affected_rows }
      a: update_account(where: {id: {_eq: ${first}}}, _inc: {balance: 1}) { affected_rows }
      b: update_account(where: {id: {_eq: ${second}}}, _inc: {balance: 1}) { affected_rows }
    }`;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => server.graphql(i % 2 === 0 ? ordered(1, 2) : ordered(2, 1))),
    );
    const done = answers.filter((answer) => Object.hasOwn(answer as object, "data")).length;
    expect(await notes()).toHaveLength(done);
    const [row] = await query(server.databaseUrl, "select sum(balance)::int as total from account");
    expect(row).toEqual({ total: 1000 + 2 * done });
    await expectRecovered();
  });
});

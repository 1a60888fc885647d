/** Many rows in one request: few statements, one transaction, their order, and bounded memory. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { collectGarbage } from "../../support/collect-garbage.ts";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_PG_CONNECTIONS: "1" } });
  // A statement-level trigger counts statements and transactions.
  await query(
    server.databaseUrl,
    `create table item (id serial primary key, name text not null, size integer default 7, data jsonb);
     create view prepared as select statement from pg_prepared_statements;
     create table statement (id serial primary key, transaction xid8 not null);
     create function count_statement() returns trigger language plpgsql as $$
       begin
         insert into statement (transaction) values (pg_current_xact_id());
         return null;
       end $$;
     create trigger count_statement after insert on item for each statement execute function count_statement();`,
  );
  await server.metadata("pg_track_table", { table: "item" });
  await server.metadata("pg_track_table", { table: "prepared" });
});

afterAll(() => server.close());

beforeEach(() => query(server.databaseUrl, "truncate item, statement restart identity"));

const insert = "mutation ($rows: [item_insert_input!]!) { insert_item(objects: $rows) { affected_rows } }";
const counts = async (): Promise<unknown> => {
  const sql = `select count(*)::int as statements, count(distinct transaction)::int as transactions from statement`;
  return (await query(server.databaseUrl, sql))[0];
};
const names = async (): Promise<unknown[]> =>
  (await query(server.databaseUrl, "select name from item order by id")).map(({ name }) => name);
const name = (i: number): string => `n${i}`;

describe("Ten thousand rows in one insert", () => {
  it("Rows with equal columns are inserted in order by one statement", async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => ({
      name: name(i),
      size: i,
      data: { i, text: "x".repeat(100) },
    }));
    expect(await server.graphql(insert, {}, { rows })).toEqual({ data: { insert_item: { affected_rows: 10_000 } } });
    expect(await counts()).toEqual({ statements: 1, transactions: 1 });
    expect(await names()).toEqual(rows.map((row) => row.name));
  });

  it("Rows with equal columns in different order are inserted by one statement", async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) =>
      i % 2 ? { name: name(i), size: i } : { size: i, name: name(i) },
    );
    await server.graphql(insert, {}, { rows });
    expect(await counts()).toEqual({ statements: 1, transactions: 1 });
    expect(await names()).toEqual(rows.map((row) => row.name));
  });

  it("Rows with different columns are inserted by one statement per run in one transaction", async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => {
      return Math.floor(i / 2500) % 2 ? { name: name(i), size: null } : { name: name(i) };
    });
    expect(await server.graphql(insert, {}, { rows })).toEqual({ data: { insert_item: { affected_rows: 10_000 } } });
    expect(await counts()).toEqual({ statements: 4, transactions: 1 });
    expect(await names()).toEqual(rows.map((row) => row.name));
    const sizes = await query(server.databaseUrl, "select size, count(*)::int as n from item group by 1 order by 1");
    expect(sizes).toEqual([
      { size: 7, n: 5000 },
      { size: null, n: 5000 },
    ]);
  });

  it("Literal rows of a document are inserted by one statement", async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => `{name: "${name(i)}", size: ${i}}`);
    const text = `mutation { insert_item(objects: [${rows.join(", ")}]) { affected_rows returning { id } } }`;
    expect(await server.graphql(text)).toHaveProperty("data.insert_item.affected_rows", 10_000);
    expect(await counts()).toEqual({ statements: 1, transactions: 1 });
  });

  it("A failing last row leaves no rows", async () => {
    const rows: object[] = Array.from({ length: 9999 }, (_, i) => ({ name: name(i), size: i }));
    const answer = await server.graphql(insert, {}, { rows: [...rows, { size: 1 }] });
    expect(answer).toMatchObject({
      errors: [{ extensions: { code: "constraint-violation", path: "$.selectionSet.insert_item.args.objects" } }],
    });
    expect(await names()).toEqual([]);
    expect(await server.graphql(insert, {}, { rows: [...rows, { name: "last", size: true }] })).toMatchObject({
      errors: [{ extensions: { path: "$.selectionSet.insert_item.args.objects[9999].size" } }],
    });
  });

  it("Inserts with other numbers of rows and values share one statement", async () => {
    const texts = async (): Promise<number> => {
      // Prepared statements belong to a connection, and the engine has only one here.
      const text = `{ prepared_aggregate(where: {statement: {_like: "%into%item%"}}) { aggregate { count } } }`;
      const { json } = await server.post("/v1/graphql", { query: text });
      return json.data.prepared_aggregate.aggregate.count;
    };
    const before = await texts();
    for (const length of [1, 2, 10_000, 3]) {
      const rows = Array.from({ length }, (_, i) => ({ name: name(i), data: i }));
      await server.graphql(insert, {}, { rows });
    }
    expect((await texts()) - before).toBe(1);
    expect(await counts()).toEqual({ statements: 4, transactions: 4 });
  });

  it("Repeated large inserts use bounded memory", async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => ({
      name: name(i),
      size: i,
      data: { text: "x".repeat(200) },
    }));
    const body = JSON.stringify({ query: insert, variables: { rows } });
    const run = async (): Promise<number> => {
      const { status } = await server.post("/v1/graphql", body);
      expect(status).toBe(200);
      collectGarbage();
      return process.memoryUsage().heapUsed + process.memoryUsage().external;
    };
    for (let i = 0; i < 3; i++) await run();
    const before = await run();
    for (let i = 0; i < 5; i++) await run();
    expect((await run()) - before).toBeLessThan(2 * body.length);
  });
});

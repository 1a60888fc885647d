/**
 * The law of numbers: a number in a permission or a request, in every spelling, selects exactly the rows that have it:
 * before and after a restart, and after the exported metadata has replaced itself. For each row, another row has a
 * number that differs only in the last digit. `LAWS_SEED` sets the seed.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../support/database.ts";
import { isSealed, startTestServer, type TestServer } from "../support/server.ts";
import { numberText } from "./number-text.ts";

const seed = Number(process.env.LAWS_SEED ?? Math.floor(Math.random() * 2 ** 31));
let server: TestServer;

/**
 * Stores numbers.
 * @returns the ids of the rows that have one of the numbers, according to the database
 */
async function store(numbers: readonly string[]): Promise<string> {
  const values = numbers.map((text) => `('${text}'::numeric)`).join();
  const [row] = await query(
    server.databaseUrl,
    `truncate number restart identity;
     insert into number (value) select n from (values ${values}) as given (n);
     insert into number (value) select n + ('1e-' || scale(n))::numeric from (values ${values}) as given (n);
     select json_agg(id order by id) as ids from number where value in (${numbers.map((text) => `${text}::numeric`)})`,
  );
  return JSON.stringify(row?.ids);
}

const idsIn = (text: string): string =>
  JSON.stringify([...text.matchAll(/"id" ?: ?(\d+)/g)].map(([, id]) => Number(id)));

async function post(path: string, body: string, role?: string): Promise<string> {
  const answer = await server.post(path, body, role === undefined ? {} : { "x-engine-role": role });
  expect(answer.text).not.toContain('"error');
  return answer.text;
}

const ask = "{ number(order_by: {id: asc}) { id } }";
const asRole = async (): Promise<string> => idsIn(await post("/v1/graphql", JSON.stringify({ query: ask }), "reader"));
const exported = (): Promise<string> => post("/v1/metadata", '{"type": "export_metadata", "args": {}}');

beforeAll(async () => {
  server = await startTestServer();
  await query(server.databaseUrl, "create table number (id serial primary key, value numeric not null)");
  await server.metadata("pg_track_table", { table: "number" });
});

afterAll(() => server?.close());

const numbers = fc.array(numberText, { minLength: 1, maxLength: 6 });

describe("Numbers in filters", () => {
  it("A number in a permission matches the same rows after export, replacement and restart", async () => {
    const check = async (list: readonly string[]): Promise<void> => {
      const rows = await store(list);
      const permission = `{"columns": ["id"], "filter": {"value": {"_in": [${list}]}}}`;
      const args = `{"table": "number", "role": "reader", "permission": ${permission}}`;
      await post("/v1/metadata", `{"type": "pg_create_select_permission", "args": ${args}}`);
      expect(await asRole()).toBe(rows);
      const before = await exported();
      expect(before).toContain(`"_in":[${list}]`);
      const { databaseUrl, metadataUrl } = server;
      await server.stop();
      server = await startTestServer({ on: { databaseUrl, metadataUrl } });
      expect(await exported()).toBe(before);
      expect(await asRole()).toBe(rows);
      await post("/v1/metadata", `{"type": "replace_metadata", "args": ${before}}`);
      expect(await exported()).toBe(before);
      expect(await asRole()).toBe(rows);
      await server.metadata("pg_drop_select_permission", { table: "number", role: "reader" });
    };
    await fc.assert(fc.asyncProperty(numbers, check), { seed, numRuns: isSealed ? 2 : 12, endOnFailure: true });
  }, 120_000);

  it("A number in a request matches the same rows as a literal, a variable and in a data operation", async () => {
    const check = async (list: readonly string[]): Promise<void> => {
      const rows = await store(list);
      const where = `{value: {_in: [${list}]}}`;
      const literal = JSON.stringify(`{ number(where: ${where}, order_by: {id: asc}) { id } }`);
      expect(idsIn(await post("/v1/graphql", `{"query": ${literal}}`))).toBe(rows);
      const variable = JSON.stringify(
        "query ($in: [numeric!]) { number(where: {value: {_in: $in}}, order_by: {id: asc}) { id } }",
      );
      expect(idsIn(await post("/v1/graphql", `{"query": ${variable}, "variables": {"in": [${list}]}}`))).toBe(rows);
      const args = `{"table": "number", "columns": ["id"], "where": {"value": {"$in": [${list}]}}, "order_by": "id"}`;
      expect(idsIn(await post("/v1/query", `{"type": "select", "args": ${args}}`))).toBe(rows);
    };
    await fc.assert(fc.asyncProperty(numbers, check), { seed, numRuns: 40, endOnFailure: true });
  }, 120_000);
});

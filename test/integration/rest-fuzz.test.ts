/** Arbitrary paths, query strings and bodies: responses are 200 or describe the error, and the server survives. */
import { request as httpRequest } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { anyText } from "../support/any-text.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  const sql = `create type mood as enum ('sad', 'glad');
    create table thing (id bigint primary key, text text, number numeric, flag boolean, day date, key uuid, doc jsonb, mood mood, list int[]);`;
  await server.post("/v2/query", { type: "run_sql", args: { sql } });
  await server.metadata("pg_track_table", { table: "thing" });
  const types = {
    id: "bigint",
    text: "String",
    number: "numeric",
    flag: "Boolean",
    day: "date",
    key: "uuid",
    mood: "mood",
  };
  const declared = Object.entries(types).map(([name, type]) => `$${name}: ${type}`);
  const tests = Object.keys(types).map((name) => `{${name}: {_eq: $${name}}}`);
  const queries = [
    { name: "all", query: `query (${declared.join(", ")}) { thing(where: {_or: [${tests.join(", ")}]}) { id } }` },
    {
      name: "where",
      query: "query ($where: thing_bool_exp, $limit: Int) { thing(where: $where, limit: $limit) { id } }",
    },
    {
      name: "add",
      query: "mutation ($objects: [thing_insert_input!]!) { insert_thing(objects: $objects) { affected_rows } }",
    },
  ];
  await server.metadata("create_query_collection", { name: "c", definition: { queries } });
  for (const [name, url] of [
    ["all", "all/:id/:day"],
    ["where", "where"],
    ["add", "add/:text"],
  ] as const) {
    const definition = { query: { collection_name: "c", query_name: name } };
    await server.metadata("create_rest_endpoint", { name, url, methods: ["GET", "POST"], definition });
  }
});

afterAll(() => server.close());

function send(path: string, method: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "content-length": Buffer.byteLength(body) };
    const sent = httpRequest(`${server.url}/`, { method, path, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const name = fc.constantFrom(
  "id",
  "text",
  "number",
  "flag",
  "day",
  "key",
  "mood",
  "where",
  "limit",
  "objects",
  "__proto__",
  "constructor",
  "",
);
const text = fc.oneof(
  anyText({ maxLength: 20 }),
  fc.constantFrom(
    "",
    "1",
    "-1",
    "1e400",
    "null",
    "true",
    "NaN",
    "'",
    '"',
    "\u0000",
    "😀",
    "9".repeat(400),
    "2024-02-30",
    "{}",
    "[]",
  ),
);
const encoded = text.map((value) => encodeURIComponent(value));
/** Characters that Node's HTTP client accepts in a path. */
const raw = fc.string({ unit: fc.constantFrom(..."abc/:;?&=%+.~-_!$'()*,@[]{}|\\^`<>\"#09FfuU"), maxLength: 40 });
const segment = fc.oneof(encoded, fc.constantFrom("all", "where", "add", "1", "2024-01-01"));
const query = fc
  .array(fc.tuple(name, encoded), { maxLength: 4 })
  .map((pairs) => pairs.map(([key, value]) => `${key}=${value}`).join("&"));
const path = fc.oneof(
  fc.array(segment, { maxLength: 4 }).map((segments) => segments.join("/")),
  fc.tuple(encoded, encoded).map(([id, day]) => `all/${id}/${day}`),
  raw,
);
const value = fc.oneof(
  fc.jsonValue(),
  text,
  fc.constant({ id: { _eq: "x" } }),
  fc.constant([{ id: 1, none: 2 }]),
  fc.constant(1e308),
);
const body = fc.oneof(
  fc.constant(""),
  fc.json(),
  fc.string({ maxLength: 30 }),
  fc.dictionary(name, value).map((members) => JSON.stringify(members)),
);

it("No path, query string or body of a REST request causes an internal error", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      path,
      query,
      fc.constantFrom("GET", "POST", "PUT", "DELETE", "OPTIONS"),
      body,
      async (at, parameters, method, content) => {
        const status = await send(`/api/rest/${at}?${parameters}`, method, content);
        expect([200, 400, 404, 405]).toContain(status);
      },
    ),
    { numRuns: 800 },
  );
  expect(server.log.filter((line) => line.includes("unhandled-internal-error"))).toEqual([]);
  expect(await server.graphql("{ __typename }")).toEqual({ data: { __typename: "query_root" } });
});

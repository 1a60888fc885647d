/**
 * Deliberately expensive requests over HTTP: each gets a response, correct or an error, within bounds of time and
 * memory, and the server keeps serving. The bounds allow for slow machines, since the defects that they detect take
 * minutes or all memory.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query as runSql } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const longest = 15_000;
const mostBytes = 400_000_000;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    environment: { ENGINE_GRAPHQL_QUERY_PLAN_CACHE_SIZE: "100", ENGINE_GRAPHQL_ENABLED_LOG_TYPES: "startup" },
  });
  await runSql(
    server.databaseUrl,
    `create table node (id integer primary key, parent_id integer references node, label text);
     insert into node select i, nullif(i / 2, 0), 'n' || i from generate_series(1, 20) i;
     create view prepared as select name from pg_prepared_statements`,
  );
  const table = { source: "default", table: "node" };
  const parent = { foreign_key_constraint_on: "parent_id" };
  const children = { foreign_key_constraint_on: { table: "node", column: "parent_id" } };
  // Statements prepared on one connection are visible on that connection only.
  const configuration = {
    connection_info: {
      database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" },
      pool_settings: { max_connections: 1 },
    },
  };
  await server.metadata("bulk", [
    { type: "pg_add_source", args: { name: "default", configuration, replace_configuration: true } },
    { type: "pg_track_table", args: table },
    { type: "pg_track_table", args: { ...table, table: "prepared" } },
    {
      type: "pg_create_select_permission",
      args: { ...table, role: "user", permission: { columns: ["id"], filter: {} } },
    },
    { type: "pg_create_object_relationship", args: { ...table, name: "parent", using: parent } },
    { type: "pg_create_array_relationship", args: { ...table, name: "children", using: children } },
  ]);
}, 60_000);

afterAll(() => server.close());

const repeat = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(" ");
const nested = (levels: number, open: string, leaf: string): string =>
  `{ node ${`{ ${open} `.repeat(levels)}{ ${leaf} }${" }".repeat(levels)} }`;

/** Returns a document in which each fragment uses the next twice, so that the number of fields doubles. */
function bomb(fragments: number): string {
  const each = (i: number) => `fragment F${i} on node { a: parent { ...F${i + 1} } b: parent { ...F${i + 1} } }`;
  return `{ node { ...F0 } } ${repeat(fragments, each)} fragment F${fragments} on node { id }`;
}

interface Hostile {
  readonly name: string;
  readonly query: string;
  readonly variables?: unknown;
  /** The message of the error; absent if the request succeeds. */
  readonly refused?: string;
}

const outOfBounds = "expected a non-negative 32-bit integer for type 'Int', but found";

const filtered = "query ($where: node_bool_exp) { node(where: $where) { id } }";
const alternatives = (count: number) => ({ _or: Array.from({ length: count }, (_, i) => ({ id: { _eq: i } })) });

const requests: readonly Hostile[] = [
  { name: "200 levels of an object relationship", query: nested(200, "id parent", "id") },
  { name: "200 levels of an array relationship", query: nested(200, "children", "id") },
  { name: "20,000 levels", query: nested(20_000, "children", "id"), refused: "not a valid graphql query" },
  {
    name: "5,000 inline fragments in one another",
    query: nested(5000, "...", "id"),
    refused: "not a valid graphql query",
  },
  { name: "a string of 1 MB", query: `{ node(where: {label: {_neq: "${"x".repeat(1_000_000)}"}}) { id } }` },
  { name: "1 MB of comments", query: `{ node { id } } ${"#x\n".repeat(330_000)}` },
  {
    name: "1 MB of fields",
    query: `{ node { ${repeat(95_000, (i) => `a${i}: id`)} } }`,
    refused: "not a valid graphql query",
  },
  {
    name: "the same field 95,000 times",
    query: `{ node { ${"id ".repeat(95_000)} } }`,
    refused: "the query selects more than 20000 fields",
  },
  { name: "10,000 aliases of a column", query: `{ node { ${repeat(10_000, (i) => `a${i}: id`)} } }` },
  {
    name: "1,000 aliases of an array relationship",
    query: `{ node(limit: 1) { ${repeat(1000, (i) => `a${i}: children { id }`)} } }`,
  },
  {
    name: "1,700 aliases of a root field",
    query: `{ ${repeat(1700, (i) => `a${i}: node { id }`)} }`,
    refused: "the query selects more than 1600 root fields of one source",
  },
  {
    name: "a cycle of fragments",
    query: "{ node { ...A } } fragment A on node { parent { ...B } } fragment B on node { parent { ...A } }",
    refused: "the fragment definition(s) A and B form a cycle",
  },
  { name: "a bomb of 30 fragments", query: bomb(30), refused: "the query selects more than 20000 fields" },
  { name: "a bomb of 2,000 fragments", query: bomb(2000), refused: "the query is nested deeper than 250 levels" },
  {
    name: "9,000 aliases of all fields of the schema",
    query: `{ __schema { types { ${repeat(9000, (i) => `a${i}: fields { name }`)} } } }`,
    refused: "the query selects more than 2000 fields of the schema",
  },
  {
    name: "1,000 aliases of the schema",
    query: `{ ...A } fragment A on query_root { ${repeat(1000, (i) => `a${i}: __schema { types { name } }`)} }`,
  },
  {
    name: "5,000 aliases of the schema",
    query: `{ ...A } fragment A on query_root { ${repeat(5000, (i) => `a${i}: __schema { types { name } }`)} }`,
    refused: "the query selects more than 2000 fields of the schema",
  },
  {
    name: "types of fields of types of fields",
    query: `{ __schema { types { ${"fields { type { ".repeat(6)} name ${"} } ".repeat(6)} } } }`,
    refused: "Maximum introspection depth exceeded",
  },
  {
    name: "a filter of 5,000 levels",
    query: `{ node(where: ${"{_not: ".repeat(5000)}{}${"}".repeat(5000)}) { id } }`,
    refused: "not a valid graphql query",
  },
  {
    name: "a list of 100,000 values",
    query: "query ($list: [Int!]) { node(where: {id: {_in: $list}}) { id } }",
    variables: { list: Array.from({ length: 100_000 }, (_, i) => i) },
  },
  {
    name: "20,000 alternatives",
    query: filtered,
    variables: { where: alternatives(20_000) },
  },
  {
    name: "10,000 orderings",
    query: `{ node(order_by: [${repeat(10_000, () => "{id: asc}")}]) { id } }`,
  },
  { name: "a limit of 1e400", query: "{ node(limit: 1e400) { id } }", refused: `${outOfBounds} a float` },
  { name: "a negative limit", query: "{ node(limit: -1) { id } }", refused: `${outOfBounds} an integer` },
  { name: "a limit of 100,000 digits", query: `{ node(limit: ${"9".repeat(100_000)}) { id } }`, refused: outOfBounds },
  {
    name: "a key of 100,000 digits",
    query: `{ node_by_pk(id: ${"9".repeat(100_000)}) { id } }`,
    refused: "9999e99999 lies outside the bounds",
  },
];

describe("Hostile requests", () => {
  it.each(requests)(
    "The hostile request ends within time and memory limits: $name",
    { timeout: 60_000 },
    async ({ query, variables, refused }) => {
      const before = process.memoryUsage().rss;
      const began = performance.now();
      const { status, json } = await server.post("/v1/graphql", { query, variables });
      expect(performance.now() - began).toBeLessThan(longest);
      expect(process.memoryUsage().rss - before).toBeLessThan(mostBytes);
      expect(status).toBe(200);
      if (refused === undefined) expect(Object.keys(json)).toEqual(["data"]);
      else expect(json.errors[0].message).toContain(refused);
      expect(await server.graphql("{ node_by_pk(id: 1) { id } }")).toEqual({ data: { node_by_pk: { id: 1 } } });
    },
  );

  it.each([
    ["a role", { "x-engine-role": "user" }, 5000],
    ["admin", {}, 100_000],
  ])(
    "A request of %s has a limited number of conditions and orderings",
    { timeout: 60_000 },
    async (_, headers, most) => {
      const ask = (count: number) => server.graphql(filtered, headers, { where: alternatives(count) });
      expect(await ask(most)).toMatchObject({
        errors: [{ message: expect.stringContaining(`the request has more than ${most} conditions`) }],
      });
      expect(await ask(2000)).toHaveProperty("data");
    },
  );

  it("Variables nested deeper than any use are refused", async () => {
    const body = `{"query": "query ($w: node_bool_exp) { node(where: $w) { id } }", "variables": {"w": ${'{"_not":'.repeat(50_000)}{}${"}".repeat(50_000)}}}`;
    const { json } = await server.post("/v1/graphql", body);
    expect(json.errors[0].message).toContain("nested deeper than");
  });

  it("An endless stream of distinct queries keeps a bounded number of plans and prepared statements", {
    timeout: 60_000,
  }, async () => {
    for (let i = 0; i < 600; i++) {
      expect(await server.graphql(`{ node_by_pk(id: 1) { distinct_${i}: id } }`)).toEqual({
        data: { node_by_pk: { [`distinct_${i}`]: 1 } },
      });
    }
    const { data } = (await server.graphql("{ prepared { name } }")) as { data: { prepared: { name: string }[] } };
    expect(data.prepared.length).toBeGreaterThan(100);
    expect(data.prepared.length).toBeLessThanOrEqual(256);
  });
});

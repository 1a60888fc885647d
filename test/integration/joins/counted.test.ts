/**
 * The cost of one level of a join: one statement per source and one request per remote schema, whatever the number of
 * parent rows. Statements are counted on the wire.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keysPerRequest } from "../../../runtime/execute/remote/remote-requests.ts";
import { type ActionHandlerServer, startActionHandler } from "../../support/action-handler.ts";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { type StatementLog, startStatementLog } from "../../support/statement-log.ts";

const max = 1000;

const rows = `
  create table item (id int primary key, next int not null);
  insert into item select n, (n * 7) % ${max} + 1 from generate_series(1, ${max}) n;
`;
const otherRows = `
  create table part (id int primary key, item_id int not null);
  insert into part select n, n from generate_series(1, ${max}) n;
`;

const makersSdl = `
  type Maker { id: Int! next: Int! }
  type Query { maker(id: Int!): Maker makers(count: Int!): [Maker!]! }
`;
const agentsSdl = `type Agent { id: Int! } type Query { agent(id: Int!): Agent }`;

const maker = (id: number) => ({ id, next: ((id * 3) % max) + 1 });
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

const toSource = (type: string, source: string, table: string, mapping: object) => ({
  definition: { to_source: { source, table, relationship_type: type, field_mapping: mapping } },
});
const toRemote = (remote_schema: string, field: string, key: string) => ({
  definition: {
    to_remote_schema: {
      remote_schema,
      lhs_fields: [key],
      remote_field: { [field]: { arguments: { id: `$${key}` } } },
    },
  },
});

let databases: readonly TestDatabase[] = [];
let left: StatementLog;
let right: StatementLog;
let makers: RemoteGraphql;
let agents: RemoteGraphql;
let handler: ActionHandlerServer;
let engine: TestServer;

beforeAll(async () => {
  databases = [await createDatabase("counted_left"), await createDatabase("counted_right")];
  const urls = databases.map(({ url }) => url);
  await Promise.all(urls.map((url, i) => query(url, i === 0 ? rows : otherRows)));
  [left, right] = await Promise.all([startStatementLog(urls[0] ?? ""), startStatementLog(urls[1] ?? "")]);
  makers = await startRemoteGraphql(makersSdl, 0, {
    root: {
      maker: ({ id }: { id: number }) => maker(id),
      makers: ({ count }: { count: number }) => numbers(count).map(maker),
    },
  });
  agents = await startRemoteGraphql(agentsSdl, 0, { root: { agent: ({ id }: { id: number }) => ({ id }) } });
  handler = await startActionHandler(({ text }, response) => {
    const { input } = JSON.parse(text) as { input: { count: number } };
    response.end(JSON.stringify(numbers(input.count).map((number) => ({ number }))));
  });
  engine = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_DATABASE_URL: left.url,
      RIGHT: right.url,
      MAKERS: `http://127.0.0.1:${makers.port}/graphql`,
      AGENTS: `http://127.0.0.1:${agents.port}/graphql`,
      HANDLER: `http://127.0.0.1:${handler.port}`,
    },
  });
  const connection_info = { database_url: { from_env: "RIGHT" } };
  await engine.metadata("pg_add_source", { name: "right", configuration: { connection_info } });
  await engine.metadata("pg_track_table", { table: "item" });
  await engine.metadata("pg_track_table", { source: "right", table: "part" });
  await engine.metadata("add_remote_schema", { name: "makers", definition: { url_from_env: "MAKERS" } });
  await engine.metadata("add_remote_schema", { name: "agents", definition: { url_from_env: "AGENTS" } });
  const ofTable = (source: string, table: string, name: string, definition: object) =>
    engine.metadata("pg_create_remote_relationship", { source, table, name, ...definition });
  await ofTable("default", "item", "part", toSource("object", "right", "part", { id: "id" }));
  await ofTable("default", "item", "parts", toSource("array", "right", "part", { id: "item_id" }));
  await ofTable("default", "item", "maker", toRemote("makers", "maker", "id"));
  await ofTable("right", "part", "item", toSource("object", "default", "item", { id: "next" }));
  await ofTable("right", "part", "maker", toRemote("makers", "maker", "id"));
  const ofMaker = (name: string, definition: object) =>
    engine.metadata("create_remote_schema_remote_relationship", {
      ...{ remote_schema: "makers", type_name: "Maker", name },
      ...definition,
    });
  await ofMaker("part", toSource("object", "right", "part", { id: "id" }));
  await ofMaker("parts", toSource("array", "right", "part", { next: "item_id" }));
  await ofMaker("agent", toRemote("agents", "agent", "id"));
  await engine.metadata("set_custom_types", {
    objects: [
      {
        name: "Number",
        fields: [{ name: "number", type: "Int!" }],
        remote_relationships: [
          { name: "part", ...toSource("object", "right", "part", { number: "id" }) },
          { name: "maker", ...toRemote("makers", "maker", "number") },
        ],
      },
    ],
  });
  await engine.metadata("create_action", {
    name: "numbers",
    definition: {
      ...{ type: "query", handler: "{{HANDLER}}", output_type: "[Number!]!" },
      arguments: [{ name: "count", type: "Int!" }],
    },
  });
});

afterAll(async () => {
  await engine?.close();
  await Promise.all([left?.close(), right?.close(), makers?.close(), agents?.close(), handler?.close()]);
  await Promise.all(databases.map((database) => database.drop()));
});

interface Counts {
  readonly left?: number;
  readonly right?: number;
  readonly makers?: number;
  readonly agents?: number;
}

/** The requests that a query causes the engine to send. `$count` is the number of parents. */
const cases: readonly (readonly [name: string, selection: string, counts: Counts])[] = [
  ["a table to an object of another source", "item(limit: $count) { part { id } }", { left: 1, right: 1 }],
  ["a table to an array of another source", "item(limit: $count) { parts { id } }", { left: 1, right: 1 }],
  [
    "a table to an aggregate of another source",
    "item(limit: $count) { parts_aggregate { aggregate { count } nodes { id } } }",
    { left: 1, right: 1 },
  ],
  [
    "the same relationships under several aliases",
    `item(limit: $count) {
      part { id } again: part { item_id } parts { id } some: parts(limit: 1) { id } parts_aggregate { aggregate { count } }
    }`,
    { left: 1, right: 1 },
  ],
  ["three levels of tables", "item(limit: $count) { part { item { part { item { id } } } } }", { left: 3, right: 2 }],
  ["a table to a remote server", "item(limit: $count) { maker { id } }", { left: 1, makers: 1 }],
  [
    "a table to a source and a remote server and further",
    "item(limit: $count) { part { maker { agent { id } } } maker { part { item { id } } } }",
    { left: 2, right: 2, makers: 2, agents: 1 },
  ],
  ["a remote server to a table", "makers(count: $count) { part { id } }", { makers: 1, right: 1 }],
  ["a remote server to several tables", "makers(count: $count) { part { id } parts { id } }", { makers: 1, right: 1 }],
  ["a remote server to another", "makers(count: $count) { agent { id } }", { makers: 1, agents: 1 }],
  ["an action to a table", "numbers(count: $count) { part { id item { id } } }", { right: 1, left: 1 }],
  ["an action to a remote server", "numbers(count: $count) { maker { id } }", { makers: 1 }],
];

async function countsOf(selection: string, count: number): Promise<Counts> {
  for (const { statements } of [left, right]) statements.length = 0;
  for (const { requests } of [makers, agents]) requests.length = 0;
  const answer = await engine.graphql(`query ($count: Int!) { ${selection} }`, {}, { count });
  expect(answer).not.toHaveProperty("errors");
  const [root] = Object.values((answer as { data: Record<string, unknown[]> }).data);
  expect(root).toHaveLength(count);
  // The last parent has a joined value.
  expect(JSON.stringify(root?.at(-1))).not.toContain("null");
  const counts = {
    left: reads(left).length,
    right: reads(right).length,
    makers: makers.requests.length,
    agents: agents.requests.length,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** Returns the statements that read tables, without the catalog queries of new connections. */
const reads = ({ statements }: StatementLog) => statements.filter((text) => text.includes('"public".'));

describe.each(cases)("Requests of the join: %s", (_, selection, counts) => {
  it.each([1, 10, max])("The join sends the same number of requests for %i parents", async (count) => {
    expect(await countsOf(selection, count)).toEqual(counts);
  });
});

describe("Keys that exceed one request", () => {
  it("Many keys are sent in the fewest possible requests", async () => {
    const selection = "item(limit: $count) { maker { id } other: maker { next } }";
    expect(await countsOf(selection, max)).toEqual({ left: 1, makers: Math.ceil((2 * max) / keysPerRequest) });
  });
});

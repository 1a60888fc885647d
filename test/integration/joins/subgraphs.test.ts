/** Several subgraphs of Apollo Federation, all with the same two root fields for gateways. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const subgraph = (entity: string, service: string, root: string) => `
  scalar _Any
  type _Service { sdl: ${service} }
  union _Entity = ${entity}
  type ${entity} { id: ID! name: String }
  type Query { _entities(representations: [_Any!]!): [_Entity]! _service: _Service! ${root}(id: ID!): ${entity} }
`;

interface Representation {
  readonly __typename: string;
  readonly id: string;
}

const answers = (root: string) => {
  const named = ({ __typename, id }: Representation) => ({ __typename, id, name: `${__typename} ${id}` });
  return {
    _entities: ({ representations }: { readonly representations: readonly Representation[] }) =>
      representations.map(named),
    _service: { sdl: `of ${root}` },
    [root]: ({ id }: { readonly id: string }) => named({ __typename: root, id }),
  };
};

let parts: RemoteGraphql;
let makers: RemoteGraphql;
let server: TestServer;

const entity = (remote_schema: string, __typename: string, key: string) => ({
  to_remote_schema: {
    remote_schema,
    lhs_fields: [key],
    remote_field: { _entities: { arguments: { representations: [{ __typename, id: `$${key}` }] } } },
  },
});

async function setUp(on: TestServer): Promise<void> {
  await query(on.databaseUrl, "create table item as select 1 as id, 2 as part, 3 as maker");
  await on.metadata("pg_track_table", { table: "item" });
  for (const [name, variable] of [
    ["parts", "PARTS"],
    ["makers", "MAKERS"],
  ]) {
    await on.metadata("add_remote_schema", { name, definition: { url_from_env: variable } });
  }
  for (const [name, definition] of [
    ["part_of", entity("parts", "Part", "part")],
    ["maker_of", entity("makers", "Maker", "maker")],
  ]) {
    await on.metadata("pg_create_remote_relationship", { table: "item", name, definition });
  }
}

const environment = () => ({
  PARTS: `http://127.0.0.1:${parts.port}/graphql`,
  MAKERS: `http://127.0.0.1:${makers.port}/graphql`,
});

beforeAll(async () => {
  parts = await startRemoteGraphql(subgraph("Part", "String", "part"), 0, { root: answers("part") });
  makers = await startRemoteGraphql(subgraph("Maker", "String!", "maker"), 0, { root: answers("maker") });
  server = await startTestServer({ environment: environment() });
  await setUp(server);
});

afterAll(async () => {
  await server?.close();
  await parts?.close();
  await makers?.close();
});

const joined =
  '{ item { part_of { name } maker_of { __typename name } } part(id: "1") { name } maker(id: "2") { name } }';
const found = {
  data: {
    item: [{ part_of: { name: "Part 2" }, maker_of: { __typename: "Maker", name: "Maker 3" } }],
    part: { name: "part 1" },
    maker: { name: "maker 2" },
  },
};

it("Two subgraphs are joined, each by its own entities", async () => {
  expect(await server.graphql(joined)).toEqual(found);
});

it("The first subgraph provides the fields for gateways", async () => {
  expect(await server.graphql("{ _service { sdl } }")).toEqual({ data: { _service: { sdl: "of part" } } });
  const { data } = (await server.graphql(
    '{ __type(name: "_Entity") { possibleTypes { name } } query: __type(name: "query_root") { fields { name } } }',
  )) as { data: { __type: unknown; query: { fields: { name: string }[] } } };
  expect(data.__type).toEqual({ possibleTypes: [{ name: "Part" }] });
  expect(data.query.fields.map(({ name }) => name).filter((name) => name.startsWith("_"))).toEqual([
    "_entities",
    "_service",
  ]);
});

it("An engine that is itself a subgraph provides the fields for gateways", async () => {
  const own = await startTestServer({
    environment: { ...environment(), ENGINE_GRAPHQL_ENABLE_APOLLO_FEDERATION: "true" },
  });
  try {
    await setUp(own);
    expect(await own.graphql(joined)).toEqual(found);
    const { data } = (await own.graphql("{ _service { sdl } }")) as { data: { _service: { sdl: string } } };
    expect(data._service.sdl).toContain("type item");
  } finally {
    await own.close();
  }
});

it("Other root fields of subgraphs still conflict", async () => {
  const { status, json } = await server.post("/v1/metadata", {
    type: "add_remote_schema",
    args: { name: "third", definition: { url_from_env: "PARTS" } },
  });
  expect(status).toBe(400);
  expect(JSON.stringify(json)).toContain("Duplicate remote field 'part'");
});

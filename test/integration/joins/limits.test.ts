/** API limits and the allow-list apply to joined fields. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const sdl = "type Maker { id: ID! name: String } type Query { maker(id: ID!): Maker }";
const root = { maker: ({ id }: { id: string }) => ({ id, name: `maker ${id}` }) };

let stock: TestDatabase;
let makers: RemoteGraphql;
let server: TestServer;
const clerk = { "x-engine-role": "clerk" };

beforeAll(async () => {
  stock = await createDatabase("joined_limits");
  await query(stock.url, "create table part (id int primary key, maker int); insert into part values (1, 7)");
  makers = await startRemoteGraphql(sdl, 0, { root });
  server = await startTestServer({
    environment: {
      STOCK: stock.url,
      MAKERS: `http://127.0.0.1:${makers.port}/graphql`,
      ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
    },
  });
  await query(server.databaseUrl, "create table item (id int primary key, part int); insert into item values (1, 1)");
  await server.metadata("pg_track_table", { table: "item" });
  const configuration = { connection_info: { database_url: { from_env: "STOCK" } } };
  await server.metadata("pg_add_source", { name: "stock", configuration });
  await server.metadata("pg_track_table", { source: "stock", table: "part" });
  await server.metadata("add_remote_schema", { name: "makers", definition: { url_from_env: "MAKERS" } });
  await server.metadata("add_remote_schema_permissions", {
    remote_schema: "makers",
    role: "clerk",
    definition: { schema: `schema { query: Query } ${sdl}` },
  });
  const part = { source: "stock", table: "part", relationship_type: "array", field_mapping: { part: "id" } };
  const maker = {
    remote_schema: "makers",
    lhs_fields: ["maker"],
    remote_field: { maker: { arguments: { id: "$maker" } } },
  };
  const made = { source: "stock", table: "part", relationship_type: "array", field_mapping: { id: "maker" } };
  await server.metadata("pg_create_remote_relationship", {
    table: "item",
    name: "parts",
    definition: { to_source: part },
  });
  await server.metadata("pg_create_remote_relationship", {
    source: "stock",
    table: "part",
    name: "maker_of",
    definition: { to_remote_schema: maker },
  });
  await server.metadata("create_remote_schema_remote_relationship", {
    remote_schema: "makers",
    type_name: "Maker",
    name: "parts",
    definition: { to_source: made },
  });
  for (const [source, table] of [
    ["default", "item"],
    ["stock", "part"],
  ]) {
    const permission = { columns: "*", filter: {} };
    await server.metadata("pg_create_select_permission", { source, table, role: "clerk", permission });
  }
});

afterAll(async () => {
  await server?.close();
  await makers?.close();
  await stock?.drop();
});

afterEach(() => server.metadata("remove_api_limits", {}));

/** Depth limits count levels below the root, node limits count fields with selections. All but the first are joined. */
const nested = "{ item { parts { maker_of { parts { id } } } } }";
const answer = { data: { item: [{ parts: [{ maker_of: { parts: [{ id: 1 }] } }] }] } };

const refused = (code: string, message: string) => ({
  errors: [expect.objectContaining({ message, extensions: { code, path: "$" } })],
});

describe("Limits of joins", () => {
  it.each([
    ["depth", 4],
    ["node", 4],
  ])("Joined fields count toward the limit of %s", async (name, most) => {
    await server.metadata("set_api_limits", { disabled: false, [`${name}_limit`]: { global: most } });
    expect(await server.graphql(nested, clerk)).toEqual(answer);
    await server.metadata("set_api_limits", { disabled: false, [`${name}_limit`]: { global: most - 1 } });
    const before = makers.requests.length;
    expect(await server.graphql(nested, clerk)).toEqual(
      refused(`${name}-limit-exceeded`, `${name} of ${most} exceeds the limit of ${most - 1}`),
    );
    expect(makers.requests.length).toBe(before);
    expect(await server.graphql(nested)).toEqual(answer);
  });

  it("Nodes in fragments on joined rows count toward the node limit", async () => {
    await server.metadata("set_api_limits", { disabled: false, node_limit: { global: 3 } });
    const text =
      "query { item { parts { ...p } } } fragment p on part { maker_of { ...m } } fragment m on Maker { parts { id } }";
    expect(await server.graphql(text, clerk)).toEqual(
      refused("node-limit-exceeded", "node of 4 exceeds the limit of 3"),
    );
  });

  it("A request with joins counts once toward the rate limit", async () => {
    const rate_limit = { global: { max_reqs_per_min: 2, unique_params: null } };
    await server.metadata("set_api_limits", { disabled: false, rate_limit });
    expect(await server.graphql(nested, clerk)).toEqual(answer);
    expect(await server.graphql(nested, clerk)).toEqual(answer);
    expect(await server.graphql(nested, clerk)).toEqual(
      refused("rate-limit-exceeded", "rate limit of 2 requests per minute exceeded"),
    );
  });
});

describe("The allow-list with joins", () => {
  it("The allow-list admits only joins of saved operations", async () => {
    const listed = await startTestServer({
      on: server,
      environment: {
        STOCK: stock.url,
        MAKERS: `http://127.0.0.1:${makers.port}/graphql`,
        ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
        ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "true",
        ENGINE_GRAPHQL_ADMIN_SECRET: "s3cret",
        ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "clerk",
      },
    });
    try {
      const queries = [{ name: "nested", query: `query nested ${nested}` }];
      await server.metadata("create_query_collection", { name: "listed", definition: { queries } });
      await server.metadata("add_collection_to_allowlist", { collection: "listed" });
      const ask = (text: string) => listed.graphql(text);
      await expect.poll(() => ask(`query nested ${nested}`)).toEqual(answer);
      for (const text of [
        nested.replace("id", "id maker"),
        "{ item { id } }",
        nested.replace("maker_of", "m: maker_of"),
      ]) {
        expect(await ask(`query nested ${text}`)).toEqual(refused("validation-failed", "query is not allowed"));
      }
    } finally {
      await listed.stop();
    }
  });
});

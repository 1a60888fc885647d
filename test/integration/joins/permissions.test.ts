/** Permissions that refer to another source: its rows are read first, for each request. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { type StatementLog, startStatementLog } from "../../support/statement-log.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const left = `
  create table buyer (id int primary key, name text);
  create table item (id int primary key, part int, label text, buyer int references buyer);
  insert into buyer values (1, 'Ada'), (2, 'Jo');
  insert into item values (1, 10, 'a', 1), (2, 20, 'b', 1), (3, null, 'c', 2), (4, 99, 'd', 2), (5, 10, 'e', null);
  create table grant_ (item int, who text);
`;

const right = `
  create table part (id int primary key, tenant int, code text, owner int);
  insert into part values (10, 1, 'x', 1), (20, 2, 'y', 2), (30, 1, null, 2), (99, null, 'not a number', 1);
  create view crowd as select n as id from generate_series(1, 100001) n;
`;

let statements: StatementLog;
let stock: TestDatabase;
let server: TestServer;
const as = (role: string, tenant = 1) => ({ "x-engine-role": role, "x-engine-tenant": String(tenant) });
const ask = (text: string, headers?: Record<string, string>) => server.graphql(text, headers);

const toSource = (source: string, table: string, field_mapping: object) => ({
  definition: { to_source: { source, table, relationship_type: "object", field_mapping } },
});
const ofTenant = { part_: { tenant: { _eq: "X-Engine-Tenant" } } };

beforeAll(async () => {
  stock = await createDatabase("joined_permissions");
  await query(stock.url, right);
  statements = await startStatementLog(stock.url);
  server = await startTestServer({ environment: { STOCK: statements.url } });
  await query(server.databaseUrl, left);
  for (const table of ["item", "buyer"]) await server.metadata("pg_track_table", { table });
  await server.metadata("pg_create_array_relationship", {
    table: "buyer",
    name: "items",
    using: { foreign_key_constraint_on: { table: "item", column: "buyer" } },
  });
  const configuration = { connection_info: { database_url: { from_env: "STOCK" } } };
  await server.metadata("pg_add_source", { name: "stock", configuration });
  for (const table of ["part", "crowd"]) await server.metadata("pg_track_table", { source: "stock", table });
  const relate = (table: string, name: string, definition: object, source = "default") =>
    server.metadata("pg_create_remote_relationship", { source, table, name, ...definition });
  await relate("item", "part_", toSource("stock", "part", { part: "id" }));
  await relate("item", "two", toSource("stock", "part", { part: "id", id: "tenant" }));
  await relate("item", "by_code", toSource("stock", "part", { id: "code" }));
  await relate("item", "crowd", toSource("stock", "crowd", { id: "id" }));
  await relate("part", "owner_", toSource("default", "buyer", { owner: "id" }), "stock");
  const permit = (kind: string, table: string, role: string, permission: object) =>
    server.metadata(`pg_create_${kind}_permission`, { table, role, permission });
  await permit("select", "item", "clerk", { columns: ["id", "label"], filter: ofTenant, allow_aggregations: true });
  await permit("select", "item", "crowd", { columns: ["id"], filter: { crowd: {} } });
  await permit("select", "buyer", "clerk", { columns: ["name"], filter: { items: ofTenant } });
  await permit("insert", "item", "clerk", { columns: "*", check: ofTenant });
  await permit("update", "item", "clerk", { columns: ["label", "part"], filter: ofTenant, check: ofTenant });
  await permit("delete", "item", "clerk", { filter: ofTenant });
  await permit("select", "item", "other", { columns: ["id"], filter: { _not: ofTenant } });
  await permit("select", "item", "chain", { columns: ["id"], filter: { part_: { owner_: { name: { _eq: "Ada" } } } } });
  await permit("select", "item", "any", { columns: ["id"], filter: { part_: {} } });
  await permit("select", "item", "wrong", { columns: ["id"], filter: { by_code: {} } });
  await permit("select", "item", "guest", { columns: ["id", "part"], filter: { id: { _eq: 4 } } });
  await server.metadata("add_inherited_role", { role_name: "both", role_set: ["guest", "clerk"] });
});

afterAll(async () => {
  await server?.close();
  await statements?.close();
  await stock?.drop();
});

const ids = (...found: readonly number[]) => ({ data: { item: found.map((id) => ({ id })) } });
const items = "{ item(order_by: {id: asc}) { id } }";

describe("Row filters across sources", () => {
  it.each([
    ["clerk", 1, [1, 5]],
    ["clerk", 2, [2]],
    ["clerk", 7, []],
    // As in SQL, a condition on a null key is unknown.
    ["other", 1, [2, 4]],
    ["chain", 1, [1, 4, 5]],
    ["any", 1, [1, 2, 4, 5]],
    ["both", 1, [1, 4, 5]],
  ])("A row filter across sources holds for %s of tenant %i", async (role, tenant, found) => {
    expect(await ask(items, as(role, tenant))).toEqual(ids(...found));
  });

  it("A row filter across sources holds for aggregates, related rows, keys and the Relay API", async () => {
    const text = `{ item_aggregate { aggregate { count } } buyer { name items(order_by: {id: asc}) { id } } item_by_pk(id: 2) { id } }`;
    expect(await ask(text, as("clerk"))).toEqual({
      data: {
        item_aggregate: { aggregate: { count: 2 } },
        buyer: [{ name: "Ada", items: [{ id: 1 }] }],
        item_by_pk: null,
      },
    });
    const relay = { query: "{ item_connection { edges { node { label } } } }" };
    const { json } = await server.post("/v1beta1/relay", relay, as("clerk"));
    expect(json.data.item_connection.edges.map(({ node }: { node: object }) => node)).toEqual([
      { label: "a" },
      { label: "e" },
    ]);
  });

  it("A row filter across sources uses the current values", async () => {
    await query(stock.url, "update part set tenant = 3 where id = 10");
    try {
      expect(await ask(items, as("clerk", 3))).toEqual(ids(1, 5));
      expect(await ask(items, as("clerk", 1))).toEqual(ids());
    } finally {
      await query(stock.url, "update part set tenant = 1 where id = 10");
    }
  });

  it("A row filter reads the other source once per request", async () => {
    statements.statements.length = 0;
    const both = `{ a: item(order_by: {id: asc}) { id } b: item_aggregate { aggregate { count } } }`;
    expect(await ask(both, as("clerk"))).toEqual({
      data: { a: [{ id: 1 }, { id: 5 }], b: { aggregate: { count: 2 } } },
    });
    expect(statements.statements.filter((each) => each.includes('"public"."part"'))).toHaveLength(1);
  });

  it("A row filter across sources is refused above the maximum number of values", async () => {
    expect(await ask(items, as("crowd"))).toEqual({
      errors: [
        {
          message: "a permission compares with more than 100000 values of another source",
          extensions: { code: "validation-failed", path: "$" },
        },
      ],
    });
  });

  it("A row filter across sources requires its session variables", async () => {
    expect(await ask(items, { "x-engine-role": "clerk" })).toMatchObject({
      errors: [{ message: 'missing session variable: "x-engine-tenant"', extensions: { code: "not-found" } }],
    });
  });

  it("An error of a row filter does not show the compared values", async () => {
    const { text } = await server.post("/v1/graphql", { query: items }, as("wrong"));
    expect(JSON.parse(text)).toMatchObject({ errors: [{ extensions: { code: "data-exception" } }] });
    expect(text).not.toContain("not a number");
    expect(server.log.join("")).not.toContain("not a number");
  });

  it("A row filter across sources holds for data operations", async () => {
    const select = { type: "select", args: { table: "item", columns: ["id"], order_by: ["id"] } };
    expect((await server.post("/v1/query", select, as("clerk"))).json).toEqual([{ id: 1 }, { id: 5 }]);
    const update = { type: "update", args: { table: "item", $set: { label: "b" }, where: { id: 2 } } };
    expect((await server.post("/v1/query", update, as("clerk"))).json).toEqual({ affected_rows: 0 });
  });

  it("A row filter across sources holds for saved operations and REST endpoints", async () => {
    const queries = [{ name: "items", query: "query items { item(order_by: {id: asc}) { id } }" }];
    await server.metadata("create_query_collection", { name: "saved", definition: { queries } });
    const definition = { query: { collection_name: "saved", query_name: "items" } };
    await server.metadata("create_rest_endpoint", { name: "items", url: "items", methods: ["GET"], definition });
    const response = await fetch(`${server.url}/api/rest/items`, { headers: as("clerk") });
    expect(await response.json()).toEqual(ids(1, 5));
  });

  it("A row filter across sources is refused in subscriptions", async () => {
    const client = await WebsocketClient.open(server.url, {
      protocol: "graphql-transport-ws",
      headers: { "X-Engine-Role": "clerk", "X-Engine-Tenant": "1" },
    });
    client.send({ type: "connection_init" });
    client.send({ type: "subscribe", id: "1", payload: { query: `subscription ${items}` } });
    let answer: unknown;
    do answer = await client.next();
    while (!/"(error|next)"/.test(JSON.stringify(answer)));
    expect(answer).toEqual({
      type: "error",
      id: "1",
      payload: [
        {
          message: "row filters that use other sources are not supported in subscriptions",
          extensions: { code: "not-supported", path: "$" },
        },
      ],
    });
    client.ws.close();
    await client.closed;
  });

  it("Explain shows the values of a row filter across sources", async () => {
    const { json } = await server.post("/v1/graphql/explain", {
      query: { query: items },
      user: { "x-engine-role": "clerk", "x-engine-tenant": "1" },
    });
    expect(json[0].sql).toContain(`'{"10","30"}'`);
  });
});

describe("Checks across sources", () => {
  it("A check across sources holds for written rows", async () => {
    const insert = (id: number, part: number | null) =>
      ask(`mutation { insert_item_one(object: {id: ${id}, part: ${part}, label: "n"}) { id } }`, as("clerk"));
    expect(await insert(11, 30)).toEqual({ data: { insert_item_one: { id: 11 } } });
    for (const part of [20, null, 12345]) {
      expect(await insert(12, part)).toMatchObject({ errors: [{ extensions: { code: "permission-error" } }] });
    }
    const update = (set: string) =>
      ask(`mutation { update_item(where: {}, _set: ${set}) { returning { id } } }`, as("clerk", 2));
    expect(await update('{label: "z"}')).toEqual({ data: { update_item: { returning: [{ id: 2 }] } } });
    expect(await update("{part: 10}")).toMatchObject({ errors: [{ extensions: { code: "permission-error" } }] });
    expect(await ask("mutation { delete_item(where: {id: {_in: [2, 11]}}) { affected_rows } }", as("clerk"))).toEqual({
      data: { delete_item: { affected_rows: 1 } },
    });
  });
});

describe("Metadata of permissions across sources", () => {
  const permit = (filter: object) =>
    server.post("/v1/metadata", {
      type: "pg_create_select_permission",
      args: { table: "item", role: "late", permission: { columns: ["id"], filter } },
    });

  it.each([
    [{ two: {} }, "remote field mapping should have exactly one column"],
    [{ part_: { nothing: { _eq: 1 } } }, '"nothing" does not exist'],
    [
      { part_: { owner: { _ceq: ["$", "id"] } } },
      "a row of another source cannot be compared with the row of the permission",
    ],
  ])("The permission %j across sources is refused", async (filter, reason) => {
    const { status, json } = await permit(filter);
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain(JSON.stringify(reason).slice(1, -1));
  });

  it("Objects that permissions across sources depend on cannot be removed", async () => {
    const untrack = { type: "pg_untrack_table", args: { source: "stock", table: "part" } };
    const { status, json } = await server.post("/v1/metadata", untrack);
    expect({ status, code: json.code }).toEqual({ status: 400, code: "dependency-error" });
    expect(json.error).toContain("permission item.clerk.select");
    const drop = { type: "run_sql", args: { source: "stock", sql: "alter table part drop column tenant" } };
    expect((await server.post("/v2/query", drop)).json.code).toBe("dependency-error");
    const forget = { type: "pg_delete_remote_relationship", args: { table: "item", name: "part_" } };
    expect((await server.post("/v1/metadata", forget)).status).toBe(400);
    expect(await ask(items, as("clerk"))).toEqual(ids(1, 5));
  });

  it("A permission across sources becomes inconsistent when the other source changes, and recovers", async () => {
    const { json: metadata } = await server.post("/v1/metadata", { type: "export_metadata", version: 2, args: {} });
    const before = metadata.metadata;
    const without = {
      ...before,
      sources: before.sources.map((source: { name: string; tables: object[] }) =>
        source.name === "stock" ? { ...source, tables: [] } : source,
      ),
    };
    const replace = (to: object) =>
      server.post("/v1/metadata", {
        type: "replace_metadata",
        version: 2,
        args: { allow_inconsistent_metadata: true, metadata: to },
      });
    const { json } = await replace(without);
    expect(JSON.stringify(json)).toContain('in permission for role \\"clerk\\"');
    expect(await ask(items, as("clerk"))).toHaveProperty("errors");
    expect(await ask(items, as("guest"))).toEqual(ids(4));
    expect((await replace(before)).json).toMatchObject({ is_consistent: true });
    expect(await ask(items, as("clerk"))).toEqual(ids(1, 5));
  });
});

describe("Permissions across sources in sealed artifacts", () => {
  it("A sealed artifact applies the same permissions across sources", { timeout: 120_000 }, async () => {
    const sealed = await startTestServer({ on: server, environment: { STOCK: stock.url }, sealed: true });
    try {
      expect(await sealed.graphql(items, as("clerk"))).toEqual(ids(1, 5));
      const response = await fetch(`${sealed.url}/api/rest/items`, { headers: as("clerk", 2) });
      expect(await response.json()).toEqual(ids(2));
    } finally {
      await sealed.stop();
    }
  });
});

/** Restrictions on requests over HTTP and WebSocket: allow-list, limits, introspection options, modes. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const schema = `
  create table item (id integer primary key, name text);
  insert into item values (1, 'one');
  create view slow as select 1 as id, pg_sleep(5)::text as nothing;
  create function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(5); return new; end $$;
  create table slow_table (id integer primary key);
  create trigger slowly before insert on slow_table for each row execute function slowly();`;

const all = { columns: "*", filter: {} };
const select_permissions = [{ role: "user", permission: all }];
const sources = [
  {
    name: "default",
    kind: "postgres",
    configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
    tables: [
      { table: { schema: "public", name: "item" }, select_permissions },
      { table: { schema: "public", name: "slow" }, select_permissions },
      {
        table: { schema: "public", name: "slow_table" },
        select_permissions,
        insert_permissions: [
          { role: "user", permission: { columns: "*", check: {} } },
          { role: "checked", permission: { columns: "*", check: { id: { _gt: 0 } } } },
        ],
      },
    ],
  },
];
const collection = (name: string, ...queries: string[]) => ({
  name,
  definition: { queries: queries.map((text, i) => ({ name: `q${i}`, query: text })) },
});
const metadata = {
  version: 3,
  sources,
  query_collections: [
    collection("all", "{ item { name } }", "{ item(limit: 1) { name } }"),
    collection("some", "query S { item { id } }"),
  ],
};
const user = { "x-engine-role": "user" };
const refusal = (code: string, message: string) => ({ errors: [{ message, extensions: { path: "$", code } }] });

async function start(environment: Record<string, string>): Promise<TestServer> {
  const server = await startTestServer({ environment });
  await query(server.databaseUrl, schema);
  await server.metadata("replace_metadata", metadata);
  return server;
}

/** Returns the result of an operation over a WebSocket. */
async function overWebsocket(server: TestServer, text: string, path = "/v1/graphql"): Promise<unknown> {
  const client = await WebsocketClient.open(server.url, { path, protocol: "graphql-transport-ws" });
  client.send({ type: "connection_init", payload: { headers: user } });
  client.send({ type: "subscribe", id: "1", payload: { query: text } });
  for (;;) {
    const message = JSON.parse(await client.text());
    if (message.id !== "1") continue;
    client.ws.close();
    return message.payload;
  }
}

describe("The allow-list in requests", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start({ ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "true" });
    await server.metadata("add_collection_to_allowlist", { collection: "all" });
    const scope = { global: false, roles: ["user"] };
    await server.metadata("add_collection_to_allowlist", { collection: "some", scope });
  });
  afterAll(() => server.close());

  it("The allow-list admits its operations, including those of the role, and any operation of admin", async () => {
    expect(await server.graphql("{ __typename item { name } }", user)).toEqual({
      data: { __typename: "query_root", item: [{ name: "one" }] },
    });
    expect(await server.graphql("query S { item { id } }", user)).toEqual({ data: { item: [{ id: 1 }] } });
    expect(await server.graphql('"""Ids""" query S { item { id } }', user)).toEqual({ data: { item: [{ id: 1 }] } });
    expect(await server.graphql("{ item { id name } }")).toEqual({ data: { item: [{ id: 1, name: "one" }] } });
    expect(await overWebsocket(server, "{ item { name } }")).toEqual({ data: { item: [{ name: "one" }] } });
  });

  it("The allow-list admits the hash of its operations, and no hash of another saved operation", async () => {
    const hashed = async (text: string) => {
      const documentId = `sha256:${createHash("sha256").update(text).digest("hex")}`;
      const headers = { "content-type": "application/json", ...user };
      const body = JSON.stringify({ documentId });
      return (await fetch(`${server.url}/v1/graphql`, { method: "POST", headers, body })).json();
    };
    expect(await hashed("query S { item { id } }")).toEqual({ data: { item: [{ id: 1 }] } });
    await server.metadata("create_query_collection", {
      name: "unlisted",
      definition: { queries: [{ name: "both", query: "{ item { id name } }" }] },
    });
    expect(await hashed("{ item { id name } }")).toEqual(refusal("validation-failed", "query is not allowed"));
    expect(await hashed("{ item { name id } }")).toMatchObject({ errors: [{ extensions: { code: "not-found" } }] });
  });

  it("The allow-list refuses other operations, also by WebSocket and repeatedly", async () => {
    const refused = refusal("validation-failed", "query is not allowed");
    expect(await server.graphql("{ item { id name } }", user)).toEqual(refused);
    expect(await server.graphql("{ item { id name } }", user)).toEqual(refused);
    expect(await server.graphql("query S { item { id } }", { "x-engine-role": "guest" })).toEqual(refused);
    expect(await overWebsocket(server, "{ item { id name } }")).toEqual(refused.errors);
  });

  it("The allow-list refuses other literal values", async () => {
    const limited = (limit: number) => server.graphql(`{ item(limit: ${limit}) { name } }`, user);
    expect(await limited(1)).toEqual({ data: { item: [{ name: "one" }] } });
    expect(await limited(2)).toEqual(refusal("validation-failed", "query is not allowed"));
    expect(await server.graphql("{ item(limit: 2) { name } }")).toEqual({ data: { item: [{ name: "one" }] } });
    expect(await limited(2)).toEqual(refusal("validation-failed", "query is not allowed"));
  });

  it("The allow-list applies to the Relay API", async () => {
    const text = "{ item_connection { pageInfo { hasNextPage } } }";
    const refused = refusal("validation-failed", "query is not allowed");
    for (const path of ["/v1beta1/relay", "/v1/relay"]) {
      expect((await server.post(path, { query: text }, user)).json).toEqual(refused);
      expect(await overWebsocket(server, text, path)).toEqual(refused.errors);
    }
    expect(await overWebsocket(server, `subscription ${text}`, "/v1beta1/relay")).toEqual(refused.errors);
    expect((await server.post("/v1beta1/relay", { query: text })).json).toEqual({
      data: { item_connection: { pageInfo: { hasNextPage: false } } },
    });
  });

  it("The allow-list admits an operation as soon as it is added", async () => {
    expect(await server.graphql("{ item { id } }", user)).toMatchObject({ errors: [{}] });
    const args = { collection_name: "all", query_name: "more", query: "{ item { id } }" };
    await server.metadata("add_query_to_collection", args);
    expect(await server.graphql("{ item { id } }", user)).toEqual({ data: { item: [{ id: 1 }] } });
  });

  it("The configuration endpoint shows that the allow-list is enabled", async () => {
    const answer = await fetch(`${server.url}/v1alpha1/config`);
    expect(await answer.json()).toMatchObject({ is_allow_list_enabled: true });
  });
});

it("Collections apply to all roles only if the setting allows it", async () => {
  const server = await start({ ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "true", ENGINE_GRAPHQL_ALLOWLIST_SCOPE: "global" });
  try {
    const scope = { global: false, roles: ["user"] };
    await server.metadata("add_collection_to_allowlist", { collection: "some", scope });
    expect(await server.graphql("query S { item { id } }", user)).toMatchObject({
      errors: [{ message: "query is not allowed" }],
    });
  } finally {
    await server.close();
  }
});

describe("API limits and introspection options", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start({});
  });
  afterAll(() => server.close());
  const limits = (given: object) => server.metadata("set_api_limits", given);

  it("The depth limit applies to HTTP and WebSocket until it is removed", async () => {
    await limits({ depth_limit: { global: 0 } });
    const refused = refusal("depth-limit-exceeded", "depth of 1 exceeds the limit of 0");
    expect(await server.graphql("{ item { id } }", user)).toEqual(refused);
    expect(await overWebsocket(server, "{ item { id } }")).toEqual(refused.errors);
    const alpha = await server.post("/v1alpha1/graphql", { query: "{ item { id } }" }, user);
    expect([alpha.status, alpha.json]).toEqual([400, refused]);
    expect(await server.graphql("{ item { id } }")).toEqual({ data: { item: [{ id: 1 }] } });
    await server.metadata("remove_api_limits", {});
    expect(await server.graphql("{ item { id } }", user)).toEqual({ data: { item: [{ id: 1 }] } });
  });

  it("Limits apply to the Relay API and to subscriptions", async () => {
    const text = "{ item_connection { pageInfo { hasNextPage } } }";
    await limits({ depth_limit: { global: 1 }, rate_limit: { global: { max_reqs_per_min: 2, unique_params: null } } });
    const tooDeep = refusal("depth-limit-exceeded", "depth of 2 exceeds the limit of 1");
    const tooOften = refusal("rate-limit-exceeded", "rate limit of 2 requests per minute exceeded");
    expect((await server.post("/v1beta1/relay", { query: text }, user)).json).toEqual(tooDeep);
    expect(await overWebsocket(server, `subscription ${text}`, "/v1beta1/relay")).toEqual(tooDeep.errors);
    expect(await overWebsocket(server, "subscription { item { id } }", "/v1beta1/relay")).toEqual(tooOften.errors);
    expect(await overWebsocket(server, "subscription { item { id } }")).toEqual(tooOften.errors);
    await server.metadata("remove_api_limits", {});
  });

  it("A batch above the limit is refused as a whole", async () => {
    await limits({ batch_limit: { global: 1 } });
    const one = { query: "{ item { id } }" };
    expect((await server.post("/v1/graphql", [one], user)).json).toEqual([{ data: { item: [{ id: 1 }] } }]);
    expect((await server.post("/v1/graphql", [one, one], user)).json).toEqual(
      refusal("batch-limit-exceeded", "batch of 2 exceeds the limit of 1"),
    );
  });

  it("A request above the rate limit is refused, with status 429 where statuses are meaningful", async () => {
    await limits({ rate_limit: { global: { max_reqs_per_min: 1, unique_params: ["x-engine-user-id"] } } });
    const ask = (id: string) =>
      server.post("/v1alpha1/graphql", { query: "{ item { id } }" }, { ...user, "x-engine-user-id": id });
    expect((await ask("a")).status).toBe(200);
    expect((await ask("b")).status).toBe(200);
    const third = await ask("a");
    expect([third.status, third.json]).toEqual([
      429,
      refusal("rate-limit-exceeded", "rate limit of 1 requests per minute exceeded"),
    ]);
  });

  it("An operation above the time limit is cancelled and rolled back", async () => {
    await limits({ time_limit: { global: 0.3 } });
    const message = "time limit of 0.3 seconds exceeded";
    const started = performance.now();
    expect(await overWebsocket(server, "subscription { slow { nothing } }")).toEqual([
      { message, extensions: { path: "$", code: "time-limit-exceeded" } },
    ]);
    expect(await server.graphql("{ slow { nothing } }", user)).toMatchObject({
      errors: [{ message, extensions: { code: "time-limit-exceeded" } }],
    });
    expect(
      await server.graphql("mutation { insert_slow_table(objects: {id: 1}) { affected_rows } }", user),
    ).toMatchObject({
      errors: [{ message, extensions: { code: "time-limit-exceeded" } }],
    });
    expect(performance.now() - started).toBeLessThan(4000);
    const busy =
      "select count(*) from pg_stat_activity where query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()";
    const waiting = async (): Promise<number> => Number((await query(server.databaseUrl, busy))[0]?.count);
    await expect.poll(waiting, { timeout: 2000 }).toBe(0);
    expect(await query(server.databaseUrl, "select * from slow_table")).toEqual([]);
    await server.metadata("remove_api_limits", {});
  });

  it("Introspection is refused for listed roles", async () => {
    await server.metadata("set_graphql_schema_introspection_options", { disabled_for_roles: ["user"] });
    const text = "{ __schema { queryType { name } } }";
    expect(await server.graphql(text, user)).toEqual(
      refusal("validation-failed", 'introspection is disabled for role: "user"'),
    );
    expect(await server.graphql("{ __typename }", user)).toEqual({ data: { __typename: "query_root" } });
    expect(await server.graphql(text)).toEqual({ data: { __schema: { queryType: { name: "query_root" } } } });
  });
});

describe("Missing permissions in development mode", () => {
  it("Development mode reports a missing permission and no hint for unknown names", async () => {
    const server = await start({ ENGINE_GRAPHQL_DEV_MODE: "true" });
    try {
      const errorOf = async (text: string, role = "user") =>
        (await server.post("/v1/graphql", { query: text }, { "x-engine-role": role })).json.errors[0];
      expect(await errorOf("{ item_aggregate { aggregate { count } } }")).toEqual({
        message: "field 'item_aggregate' not found in type: 'query_root'",
        extensions: {
          path: "$.selectionSet.item_aggregate",
          code: "validation-failed",
          internal: {
            message: 'role "user" lacks a permission for this operation; role "admin" can run it',
            role: "user",
            missing: "field item_aggregate of type query_root",
          },
        },
      });
      expect((await errorOf("{ nothing }")).extensions).not.toHaveProperty("internal");
      expect((await errorOf("{ nothing }", "admin")).extensions).not.toHaveProperty("internal");
      const check = await errorOf("mutation { insert_slow_table(objects: {id: -1}) { affected_rows } }", "checked");
      expect(check).toMatchObject({
        message: "check constraint of an insert/update permission has failed",
        extensions: { code: "permission-error", internal: { role: "checked" } },
      });
    } finally {
      await server.close();
    }
  });

  it("Missing permissions are not named outside of development mode", async () => {
    const server = await start({});
    try {
      expect(await server.graphql("{ item_aggregate { aggregate { count } } }", user)).toEqual({
        errors: [
          {
            message: "field 'item_aggregate' not found in type: 'query_root'",
            extensions: { path: "$.selectionSet.item_aggregate", code: "validation-failed" },
          },
        ],
      });
    } finally {
      await server.close();
    }
  });
});

describe("Modes of the server", () => {
  const track = { type: "pg_untrack_table", args: { table: "item" } };
  const insert = { type: "insert", args: { table: "slow_table", objects: [] } };
  const sql = (more: object) => ({ type: "run_sql", args: { sql: "select 1", ...more } });

  it("Read-only mode serves reads and refuses writes from every endpoint", async () => {
    const first = await start({});
    await first.stop();
    const server = await startTestServer({ on: first, environment: { ENGINE_GRAPHQL_ENABLE_READ_ONLY_MODE: "true" } });
    try {
      const noWrites = "Cannot run write queries when read-only mode is enabled";
      const answers = [
        ["/v1/metadata", track, "metadata cannot be modified in read-only mode"],
        ["/v1/query", insert, noWrites],
        ["/v2/query", sql({}), noWrites],
      ] as const;
      for (const [path, body, error] of answers) {
        const answer = await server.post(path, body);
        expect([answer.status, answer.json]).toEqual([400, { error, path: "$", code: "not-supported" }]);
      }
      expect((await server.post("/v2/query", sql({ read_only: true }))).status).toBe(200);
      expect((await server.post("/v1/metadata", { type: "export_metadata", args: {} })).status).toBe(200);
      expect(await server.graphql("{ item { id } }", user)).toEqual({ data: { item: [{ id: 1 }] } });
      expect(await server.graphql("mutation { insert_slow_table(objects: []) { affected_rows } }")).toEqual(
        refusal("not-supported", "Mutations are not allowed when read-only mode is enabled"),
      );
    } finally {
      await server.stop();
      await first.close();
    }
  });

  it("Maintenance mode refuses metadata changes and serves requests", async () => {
    const first = await start({});
    await first.stop();
    const server = await startTestServer({
      on: first,
      environment: { ENGINE_GRAPHQL_ENABLE_MAINTENANCE_MODE: "true" },
    });
    try {
      const answer = await server.post("/v1/metadata", track);
      expect([answer.status, answer.json]).toEqual([
        500,
        { error: "metadata cannot be modified in maintenance mode", path: "$", code: "unexpected" },
      ]);
      expect(await server.graphql("{ item { id } }", user)).toEqual({ data: { item: [{ id: 1 }] } });
    } finally {
      await server.stop();
      await first.close();
    }
  });
});

describe("Limits of the unauthorized role", () => {
  const deep = `{ item ${"{ __typename self ".repeat(3)}{ id }${" }".repeat(3)} }`;
  const secret = { "x-engine-admin-secret": "s" };
  const environment = { ENGINE_GRAPHQL_ADMIN_SECRET: "s", ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "user" };
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const codes = (json: any) => [json].flat().map((each) => each.errors?.[0].extensions.code ?? null);

  async function startUnauthorized(more: Record<string, string>, sealed: boolean): Promise<TestServer> {
    const server = await startTestServer({ environment: { ...environment, ...more }, sealed });
    await query(server.databaseUrl, `${schema} alter table item add self_id integer references item`);
    const [source] = sources;
    const [item, ...others] = source?.tables ?? [];
    const self = [{ name: "self", using: { foreign_key_constraint_on: "self_id" } }];
    const tables = [{ ...item, object_relationships: self }, ...others];
    const args = { version: 3, sources: [{ ...source, tables }] };
    expect((await server.post("/v1/metadata", { type: "replace_metadata", args }, secret)).status).toBe(200);
    return server;
  }

  it.each([
    ["live server", false],
    ["sealed artifact", true],
  ])("The unauthorized role has configurable default limits on a %s", { timeout: 120_000 }, async (_, sealed) => {
    const limits = {
      ENGINE_GRAPHQL_UNAUTHORIZED_DEPTH_LIMIT: "3",
      ENGINE_GRAPHQL_UNAUTHORIZED_NODE_LIMIT: "4",
      ENGINE_GRAPHQL_UNAUTHORIZED_TIME_LIMIT: "1",
      ENGINE_GRAPHQL_UNAUTHORIZED_BATCH_LIMIT: "2",
    };
    const server = await startUnauthorized(limits, sealed);
    try {
      const ask = async (body: unknown, headers = {}) => codes((await server.post("/v1/graphql", body, headers)).json);
      const wide = `{ ${["a", "b", "c", "d", "e"].map((name) => `${name}: item { id }`).join(" ")} }`;
      expect(await ask({ query: deep })).toEqual(["depth-limit-exceeded"]);
      expect(await ask({ query: wide })).toEqual(["node-limit-exceeded"]);
      expect(await ask({ query: "{ slow { nothing } }" })).toEqual(["time-limit-exceeded"]);
      const one = { query: "{ item { id } }" };
      expect(await ask([one, one, one])).toEqual(["batch-limit-exceeded"]);
      expect(await ask([one, one])).toEqual([null, null]);
      expect(await ask({ query: deep }, { ...secret, "x-engine-role": "admin" })).toEqual([null]);
    } finally {
      await server.close();
    }
  });

  it("The unauthorized role uses the metadata's limits if they name it, and its defaults are not exported", async () => {
    const server = await startUnauthorized({}, false);
    try {
      const ask = async (text: string) => codes(await server.graphql(text));
      const set = async (type: string, args: unknown) =>
        expect((await server.post("/v1/metadata", { type, args }, secret)).status).toBe(200);
      const levels = (count: number) => `{ item ${"{ self ".repeat(count)}{ id }${" }".repeat(count)} }`;
      const exported = await server.post("/v1/metadata", { type: "export_metadata", args: {} }, secret);
      expect(exported.json).not.toHaveProperty("api_limits");
      expect(await ask(levels(14))).toEqual([null]);
      expect(await ask(levels(15))).toEqual(["depth-limit-exceeded"]);
      await set("set_api_limits", { depth_limit: { global: 16 } });
      expect(await ask(levels(15))).toEqual([null]);
      expect(await ask(levels(16))).toEqual(["depth-limit-exceeded"]);
      await set("set_api_limits", { depth_limit: { global: 1, per_role: { user: 20 } } });
      expect(await ask(levels(16))).toEqual([null]);
      await set("set_api_limits", { disabled: true, depth_limit: { global: 50 } });
      expect(await ask(levels(15))).toEqual(["depth-limit-exceeded"]);
      await set("remove_api_limits", {});
      expect(await ask("{ __schema { types { fields { type { ofType { name } } } } } }")).toEqual([null]);
    } finally {
      await server.close();
    }
  });
});

/**
 * A request that one endpoint refuses is refused by all endpoints. The test covers each route and WebSocket path with
 * each limit of a role. A route that is not listed here fails the test, so that new routes cannot bypass admission.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseOptions } from "../../../runtime/config/options.ts";
import { createRoutes } from "../../../runtime/http/routes.ts";
import { query } from "../../support/database.ts";
import { earlier } from "../../support/mcp.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { request, stubServices } from "../../support/stub-services.ts";
import { WebsocketClient } from "../../support/websocket.ts";

const schema = `
  create table node (id integer primary key, parent_id integer references node, label text);
  insert into node values (1, null, 'a'), (2, 1, 'b'), (3, 2, 'c');
  create function node_lazy(node) returns text language sql stable as $$ select pg_sleep(20)::text $$;
  create view slow as select 1 as id, pg_sleep(20)::text as lazy;`;

const all = { columns: "*", filter: {}, allow_aggregations: true };
const tables = (permission: object) => [
  {
    table: { schema: "public", name: "node" },
    object_relationships: [{ name: "parent", using: { foreign_key_constraint_on: "parent_id" } }],
    computed_fields: [{ name: "lazy", definition: { function: { schema: "public", name: "node_lazy" } } }],
    select_permissions: [{ role: "user", permission: { ...permission, computed_fields: ["lazy"] } }],
  },
  { table: { schema: "public", name: "slow" }, select_permissions: [{ role: "user", permission: all }] },
];

type Kind = "small" | "large" | "slow" | "schema";
const texts: Readonly<Record<Kind, string>> = {
  small: "{ node { parent { id } } }",
  large: "{ node { parent { parent { id } } } }",
  slow: "{ node(limit: 1) { lazy } }",
  schema: "{ __schema { queryType { name } } }",
};
const relayTexts: Readonly<Record<Kind, string>> = {
  small: "{ node_connection { pageInfo { hasNextPage } } }",
  large: "{ node_connection { edges { node { id } } } }",
  slow: "{ node_connection(first: 1) { edges { node { lazy } } } }",
  schema: texts.schema,
};
const selects: Readonly<Record<Exclude<Kind, "schema">, unknown>> = {
  small: { table: "node", columns: ["*.*"] },
  large: { table: "node", columns: ["*.*.*"] },
  slow: { table: "slow", columns: ["lazy"] },
};

const metadata = (permission: object = all) => ({
  version: 3,
  sources: [
    {
      name: "default",
      kind: "postgres",
      configuration: { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } },
      tables: tables(permission),
    },
  ],
  query_collections: [
    {
      name: "saved",
      definition: { queries: Object.entries(texts).map(([name, text]) => ({ name, query: `query ${name} ${text}` })) },
    },
  ],
  rest_endpoints: Object.keys(texts).map((name) => ({
    name,
    url: name,
    methods: ["GET"],
    definition: { query: { collection_name: "saved", query_name: name } },
  })),
  agent_tools: Object.keys(texts).map((name) => ({
    name,
    definition: { query: { collection_name: "saved", query_name: name } },
  })),
});

/** Serves `/mcp` for callers that choose their role, with queries that assistants write. */
const environment = {
  ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,pgdump,config,mcp",
  ENGINE_GRAPHQL_MCP_ADMIN_SECRET: "true",
  ENGINE_GRAPHQL_MCP_QUERY_DATA: "true",
};

/** The code of the error in a response; `null` if there is none. */
type Code = string | null;

interface Endpoint {
  /** The routes that this endpoint represents. */
  readonly routes: readonly string[];
  /** Sends a request as a role; `undefined` if the endpoint has no request of that kind. */
  ask(server: TestServer, kind: Kind, headers: Record<string, string>): Promise<Code | undefined>;
  /** Sends several small operations in one request; absent if the endpoint accepts only one. */
  batch?(server: TestServer, size: number, headers: Record<string, string>): Promise<Code>;
  /** Requests only describe an operation: nothing runs, and rate limits do not count them. */
  readonly asksAbout?: true;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function codeOf(json: any): Code {
  const first = Array.isArray(json) ? (json.find((each) => each?.errors) ?? null) : json;
  const [error] = first?.errors ?? [];
  return error?.extensions?.code ?? error?.code ?? first?.code ?? null;
}

function posted(path: string, given: Readonly<Record<Kind, string>>): Endpoint {
  const post = async (server: TestServer, body: unknown, headers: Record<string, string>) =>
    codeOf((await server.post(path, body, headers)).json);
  return {
    routes: [`POST ${path}`],
    ask: (server, kind, headers) => post(server, { query: given[kind] }, headers),
    batch: (server, size, headers) =>
      post(
        server,
        Array.from({ length: size }, () => ({ query: given.small })),
        headers,
      ),
  };
}

/** @param call returns name and arguments of the tool for a request */
function byTool(route: string, call: (kind: Kind) => readonly [name: string, values: object]): Endpoint {
  return {
    routes: [route],
    async ask(server, kind, headers) {
      const [name, values] = call(kind);
      const message = earlier("tools/call", { name, arguments: values });
      const { json } = await server.post("/mcp", message.body, { ...message.headers, ...headers });
      if (json.error) return json.error.data.code;
      return json.result.isError ? /^code: (.*)$/m.exec(json.result.content[0].text)?.[1] : null;
    },
  };
}

function overWebsocket(path: string, given: Readonly<Record<Kind, string>>): Endpoint {
  return {
    routes: [`WS ${path}`],
    async ask(server, kind, headers) {
      const client = await WebsocketClient.open(server.url, { path, protocol: "graphql-transport-ws" });
      client.send({ type: "connection_init", payload: { headers } });
      client.send({ type: "subscribe", id: "1", payload: { query: given[kind] } });
      for (;;) {
        const message = JSON.parse(await client.text());
        if (message.id !== "1") continue;
        client.ws.close();
        return codeOf(message.type === "error" ? { errors: message.payload } : message.payload);
      }
    },
  };
}

const endpoints: readonly Endpoint[] = [
  posted("/v1/graphql", texts),
  posted("/v1alpha1/graphql", texts),
  posted("/v1beta1/relay", relayTexts),
  posted("/v1/relay", relayTexts),
  overWebsocket("/v1/graphql", texts),
  overWebsocket("/v1alpha1/graphql", texts),
  overWebsocket("/v1beta1/relay", relayTexts),
  overWebsocket("/v1/relay", relayTexts),
  {
    routes: ["GET /v1/graphql"],
    async ask(server, kind, headers) {
      const url = `${server.url}/v1/graphql?${new URLSearchParams({ query: texts[kind] })}`;
      return codeOf(await (await fetch(url, { headers })).json());
    },
  },
  {
    routes: ["ANY /api/rest/*"],
    async ask(server, kind, headers) {
      return codeOf(await (await fetch(`${server.url}/api/rest/${kind}`, { headers })).json());
    },
  },
  byTool("ANY /mcp", (kind) => [kind, {}]),
  byTool("query_data of /mcp", (kind) => ["query_data", { query: texts[kind] }]),
  {
    routes: ["POST /v1/query"],
    async ask(server, kind, headers) {
      if (kind === "schema") return undefined;
      return codeOf((await server.post("/v1/query", { type: "select", args: selects[kind] }, headers)).json);
    },
    async batch(server, size, headers) {
      const one = { type: "select", args: selects.small };
      // A bulk in a bulk counts as its operations.
      const items = [...Array.from({ length: size - 1 }, () => one), { type: "bulk", args: [one] }];
      return codeOf((await server.post("/v1/query", { type: "bulk", args: items }, headers)).json);
    },
  },
  {
    routes: ["POST /v1/graphql/explain", "POST /v1alpha1/graphql/explain"],
    asksAbout: true,
    async ask(server, kind, user) {
      return codeOf((await server.post("/v1/graphql/explain", { query: { query: texts[kind] }, user })).json);
    },
  },
];

/** Routes whose responses depend on no source or role, or that only admins may use. */
const open = ["/healthz", "/engine/healthz", "/livez", "/readyz", "/v1/version", "/v1alpha1/config", "/metrics"];

const headers = (id: string) => ({ "x-engine-role": "user", "x-engine-user-id": id });

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ sealed: false, environment });
  await query(server.databaseUrl, schema);
  await server.metadata("replace_metadata", metadata());
}, 60_000);
afterAll(() => server.close());

it("Every route is covered by this test or restricted to admins", async () => {
  const settings = parseOptions(
    {},
    {
      ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,pgdump,config,developer,metrics,mcp",
      // The routes of the console only serve files.
      ENGINE_GRAPHQL_ENABLE_CONSOLE: "false",
    },
  );
  const { services: stub, executed, operations } = stubServices();
  const services = { ...stub, telemetry: { ...stub.telemetry, metricsText: async () => "metrics 1" } };
  const known = new Set(endpoints.flatMap(({ routes }) => routes));
  for (const { method, path, handler } of createRoutes(services, { ...settings, version: "1" })) {
    if (known.has(`${method} ${path}`) || open.includes(path)) continue;
    if (path === "/v1/metadata" || path === "/v2/query") {
      const answer = await server.post(path, { type: "select", args: selects.small }, headers("0"));
      expect([path, answer.status === 200, codeOf(answer.json)]).not.toEqual([path, true, null]);
      continue;
    }
    const call = request({ type: "export_metadata", args: {} }, { method, path, headers: headers("0") });
    expect([path, JSON.parse((await handler(call)).body).code]).toEqual([path, "access-denied"]);
  }
  expect([executed, operations]).toEqual([[], []]);
});

describe("Limits at every endpoint", () => {
  const limits = (given: object) => server.metadata("set_api_limits", given);
  afterEach(async () => {
    await server.metadata("remove_api_limits", {});
    await server.metadata("set_graphql_schema_introspection_options", { disabled_for_roles: [] });
  });
  const each = endpoints.map((endpoint) => [endpoint.routes.join(" "), endpoint] as const);

  it.each(each)("Depth and node limits hold at every endpoint: %s", async (name, endpoint) => {
    for (const [limit, code] of [
      ["depth_limit", "depth-limit-exceeded"],
      ["node_limit", "node-limit-exceeded"],
    ] as const) {
      await limits({ [limit]: { global: 2 } });
      expect(await endpoint.ask(server, "small", headers(name))).toBeNull();
      expect(await endpoint.ask(server, "large", headers(name))).toBe(code);
      await server.metadata("remove_api_limits", {});
    }
  });

  it.each(each.filter(([, { asksAbout }]) => !asksAbout))(
    "Rate limits hold at every endpoint: %s",
    async (name, endpoint) => {
      await limits({ rate_limit: { global: { max_reqs_per_min: 2, unique_params: ["x-engine-user-id"] } } });
      const answers: (Code | undefined)[] = [];
      for (let i = 0; i < 3; i++) answers.push(await endpoint.ask(server, "small", headers(`rate ${name}`)));
      expect(answers).toEqual([null, null, "rate-limit-exceeded"]);
    },
  );

  it.each(each.filter(([, { batch }]) => batch))(
    "Batch limits hold at every endpoint, and each request of a batch counts toward the rate: %s",
    async (name, endpoint) => {
      await limits({ batch_limit: { global: 3 } });
      expect(await endpoint.batch?.(server, 3, headers(name))).toBeNull();
      expect(await endpoint.batch?.(server, 4, headers(name))).toBe("batch-limit-exceeded");
      await limits({ rate_limit: { global: { max_reqs_per_min: 5, unique_params: ["x-engine-user-id"] } } });
      expect(await endpoint.batch?.(server, 3, headers(`batch ${name}`))).toBeNull();
      expect(await endpoint.batch?.(server, 3, headers(`batch ${name}`))).toBe("rate-limit-exceeded");
    },
  );

  it.each(each.filter(([, { asksAbout }]) => !asksAbout))(
    "Time limits hold at every endpoint: %s",
    async (name, endpoint) => {
      await limits({ time_limit: { global: 0.3 } });
      expect(await endpoint.ask(server, "slow", headers(name))).toBe("time-limit-exceeded");
      const active =
        "select 1 from pg_stat_activity where query like '%lazy%' and state = 'active' and pid <> pg_backend_pid()";
      await expect.poll(() => query(server.databaseUrl, active), { timeout: 5000 }).toEqual([]);
    },
  );

  it.each(each)("Disabled introspection holds at every endpoint: %s", async (name, endpoint) => {
    await server.metadata("set_graphql_schema_introspection_options", { disabled_for_roles: ["user"] });
    expect(await endpoint.ask(server, "schema", headers(name))).toBeOneOf(["validation-failed", undefined]);
  });
});

describe("The allow-list at every endpoint", () => {
  let listed: TestServer;
  beforeAll(async () => {
    listed = await startTestServer({
      sealed: false,
      environment: { ...environment, ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "true" },
    });
    await query(listed.databaseUrl, schema);
    await listed.metadata("replace_metadata", metadata());
  }, 60_000);
  afterAll(() => listed.close());

  it.each(endpoints.map((endpoint) => [endpoint.routes.join(" "), endpoint] as const))(
    "The allow-list refuses an unlisted operation at every endpoint: %s",
    async (name, endpoint) => {
      expect(await endpoint.ask(listed, "small", headers(name))).toBeOneOf(["validation-failed", "access-denied"]);
    },
  );

  it("The allow-list refuses data operations of roles, even in a bulk, and admits those of admin", async () => {
    const count = { type: "count", args: { table: "node" } };
    const message =
      'data operations are not allowed for role "user" while the allow-list is enabled: send a saved operation to /v1/graphql';
    expect(await listed.post("/v1/query", count, headers("1"))).toMatchObject({
      status: 400,
      json: { code: "access-denied", path: "$.args", error: message },
    });
    const bulk = await listed.post("/v1/query", { type: "bulk", args: [count] }, headers("1"));
    expect(bulk.json).toMatchObject({ code: "access-denied", path: "$.args[0].args" });
    expect((await listed.post("/v1/query", count)).json).toEqual({ count: 3 });
  });
});

describe("Hidden root fields in data operations", () => {
  const permit = (permission: object) => server.metadata("replace_metadata", metadata({ ...all, ...permission }));
  const ask = async (type: string, args: object) =>
    (await server.post("/v1/query", { type, args: { table: "node", ...args } }, headers("1"))).json;
  const refused = (reason: string) => ({
    code: "permission-denied",
    path: "$.args",
    error: `select on "node" for role "user" is not allowed. ; ${reason}`,
  });
  afterAll(() => permit({}));

  it("select and count are refused if query_root_fields hides their root field", async () => {
    await permit({ query_root_fields: [] });
    const hidden = (root: string) => refused(`"${root}" is not in the query_root_fields of the permission`);
    expect(await ask("select", { columns: ["id"] })).toEqual(hidden("select"));
    expect(await ask("count", {})).toEqual(hidden("select_aggregate"));
    await permit({ query_root_fields: ["select_aggregate"] });
    expect(await ask("select", { columns: ["id"] })).toEqual(hidden("select"));
    expect(await ask("count", {})).toEqual({ count: 3 });
    await permit({ query_root_fields: ["select"] });
    expect(await ask("select", { columns: ["id"] })).toHaveLength(3);
    expect(await ask("count", {})).toEqual(hidden("select_aggregate"));
  });

  it("count is refused if the permission allows no aggregations", async () => {
    await permit({ allow_aggregations: false });
    expect(await ask("count", {})).toEqual(refused('"count" is only allowed if the permission allows aggregations'));
    expect(await ask("select", { columns: ["id"] })).toHaveLength(3);
  });

  it("The limit of a permission cuts lists but not aggregates, as in GraphQL", async () => {
    await permit({ limit: 2 });
    expect(await ask("select", { columns: ["id"] })).toHaveLength(2);
    expect(await ask("count", {})).toEqual({ count: 3 });
    const { data } = (await server.graphql(
      "{ node_aggregate { aggregate { count } nodes { id } } }",
      headers("1"),
    )) as { data: { node_aggregate: { aggregate: { count: number }; nodes: unknown[] } } };
    expect([data.node_aggregate.aggregate.count, data.node_aggregate.nodes.length]).toEqual([3, 2]);
  });
});

describe("Backend-only permissions", () => {
  let guarded: TestServer;
  const secret = { "x-engine-admin-secret": "the secret", "x-engine-role": "user" };
  const backend = { ...secret, "x-engine-use-backend-only-permissions": "true" };
  const post = async (path: string, body: unknown, given: Record<string, string>) =>
    (await guarded.post(path, body, given)).json;

  beforeAll(async () => {
    guarded = await startTestServer({
      sealed: false,
      environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "the secret", ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "user" },
    });
    await query(
      guarded.databaseUrl,
      "create table item (id integer primary key, name text, owner_id integer references item)",
    );
    const write = { columns: "*", check: {}, filter: {} };
    const tables = [
      {
        table: { schema: "public", name: "item" },
        select_permissions: [{ role: "user", permission: all }],
        insert_permissions: [{ role: "user", permission: { columns: "*", check: {} } }],
        update_permissions: [{ role: "user", permission: { ...write, backend_only: true } }],
        delete_permissions: [{ role: "user", permission: { filter: {}, backend_only: true } }],
      },
    ];
    const [source] = metadata().sources;
    const args = { version: 3, sources: [{ ...source, tables }] };
    const answer = await guarded.post(
      "/v1/metadata",
      { type: "replace_metadata", args },
      { "x-engine-admin-secret": "the secret" },
    );
    expect(answer.json).toEqual({ message: "success" });
  }, 60_000);
  afterAll(() => guarded.close());
  beforeEach(() => query(guarded.databaseUrl, "truncate item; insert into item values (1, 'first')"));
  const names = () => query(guarded.databaseUrl, "select name from item order by id");

  const upsert = {
    type: "insert",
    args: {
      table: "item",
      objects: [{ id: 1, name: "second" }],
      on_conflict: { action: "update", constraint: "item_pkey" },
    },
  };
  const update = { type: "update", args: { table: "item", where: {}, $set: { name: "second" } } };
  const remove = { type: "delete", args: { table: "item", where: {} } };

  it.each([
    ["an upsert", upsert],
    ["an update", update],
    ["a delete", remove],
  ])("Backend-only permissions of data operations require secret and header: %s", async (_, operation) => {
    for (const given of [{}, secret, { "x-engine-use-backend-only-permissions": "true" }]) {
      expect(await post("/v1/query", operation, given)).toMatchObject({ code: "permission-denied" });
      expect(await post("/v1/query", { type: "bulk", args: [operation] }, given)).toMatchObject({
        code: "permission-denied",
      });
    }
    expect(await names()).toEqual([{ name: "first" }]);
    expect(await post("/v1/query", operation, backend)).toEqual({ affected_rows: 1 });
  });

  it("Backend-only permissions of GraphQL and Relay require secret and header", async () => {
    const text = `mutation { insert_item(objects: {id: 1, name: "second"},
      on_conflict: {constraint: item_pkey, update_columns: [name]}) { affected_rows } }`;
    for (const path of ["/v1/graphql", "/v1alpha1/graphql", "/v1beta1/relay"]) {
      for (const mutation of [text, "mutation { delete_item(where: {}) { affected_rows } }"]) {
        expect(codeOf(await post(path, { query: mutation }, secret))).toBe("validation-failed");
      }
      expect(await names()).toEqual([{ name: "first" }]);
      expect(await post(path, { query: text }, backend)).toEqual({ data: { insert_item: { affected_rows: 1 } } });
      await query(guarded.databaseUrl, "update item set name = 'first'");
    }
  });
});

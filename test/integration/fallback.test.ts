/** A server with `--fallback`: operations on what has not been moved yet go to the old server. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OldEngine, oldAnswer, respondWithArticle, startOldEngine } from "../support/old-engine.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { WebsocketClient } from "../support/websocket.ts";

const secret = { "X-Engine-Admin-Secret": "very-secret" };
const user = { ...secret, "X-Engine-Role": "user", "X-Engine-User-Id": "1" };

let old: OldEngine;
let engine: TestServer;

beforeAll(async () => {
  old = await startOldEngine();
  engine = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_ADMIN_SECRET: "very-secret",
      ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics",
      ENGINE_GRAPHQL_FALLBACK: `${old.url}/base/`,
    },
  });
  const sql = `
    create table author (id integer primary key, name text, born integer);
    create table article (id integer primary key, author_id integer references author);
    insert into author values (1, 'Ann', 1990)`;
  const { status } = await engine.post("/v2/query", { type: "run_sql", args: { sql } }, secret);
  expect(status).toBe(200);
  const permission = { columns: ["id", "name"], filter: {} };
  for (const [type, args] of [
    ["pg_track_table", { table: "author" }],
    ["pg_create_select_permission", { table: "author", role: "user", permission }],
  ] as const) {
    expect(await engine.post("/v1/metadata", { type, args }, secret)).toMatchObject({ status: 200 });
  }
});

afterAll(async () => {
  await engine?.close();
  await old?.close();
});

beforeEach(() => {
  old.requests.length = 0;
  old.respond = respondWithArticle;
});

const send = (body: unknown, headers: Record<string, string> = user) => engine.post("/v1/graphql", body, headers);

const linesOf = (type: string): { readonly detail: Record<string, unknown> }[] =>
  engine.log
    .flatMap((text) => text.split("\n"))
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .filter((line) => line.type === type);

describe("Operations on absent objects", () => {
  it("A query of an absent root field returns the old server's response, byte for byte", async () => {
    const body = { query: "query A($id: bigint!) { article(id: $id) { id } }", variables: {}, operationName: "A" };
    const text = JSON.stringify(body).replace("{}", '{"id":12345678901234567890}');
    const answer = await engine.post("/v1/graphql", text, user);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(oldAnswer);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("x-old")).toBeNull();
    const [request] = old.requests;
    expect(old.requests).toHaveLength(1);
    expect(request).toMatchObject({ method: "POST", url: "/base/v1/graphql" });
    expect(JSON.parse(request?.body ?? "")).toMatchObject({ query: body.query, operationName: "A" });
    expect(request?.body).toContain('"variables":{"id":12345678901234567890}');
  });

  it("The old server's status and errors are returned, too", async () => {
    const error = '{"errors":[{"message":"no such role","extensions":{"path":"$","code":"access-denied"}}]}';
    old.respond = (_, response) => response.writeHead(403, { "content-type": "application/json" }).end(error);
    expect(await send({ query: "{ article { id } }" })).toMatchObject({ status: 403, text: error });
  });

  it("A mutation of an absent table is forwarded", async () => {
    const query = 'mutation { insert_article_one(object: {id: 1}) { id } update_note(_set: {text: "a"}) { id } }';
    expect((await send({ query })).text).toBe(oldAnswer);
    expect(JSON.parse(old.requests[0]?.body ?? "")).toEqual({ query });
  });

  it("An operation on moved and absent objects is forwarded as a whole", async () => {
    const query = "query { author { ...name articles { id } } article { id } } fragment name on author { name }";
    expect((await send({ query })).text).toBe(oldAnswer);
    expect(JSON.parse(old.requests[0]?.body ?? "")).toEqual({ query });
  });

  it("An absent field below a root field is forwarded", async () => {
    expect((await send({ query: "{ author { articles { id } } }" })).text).toBe(oldAnswer);
  });

  it("Operations on moved objects run here", async () => {
    expect((await send({ query: "{ author { name } }" })).json).toEqual({ data: { author: [{ name: "Ann" }] } });
    expect(old.requests).toEqual([]);
  });

  it("An inconsistent table is absent, and served here as soon as it is consistent", async () => {
    const query = "{ ghost { id } }";
    const administer = (type: string, args: unknown) => engine.post("/v1/metadata", { type, args }, secret);
    const { json: metadata } = await administer("export_metadata", {});
    metadata.sources[0].tables.push({ table: { schema: "public", name: "ghost" } });
    await administer("replace_metadata", { metadata, allow_inconsistent_metadata: true });
    expect((await send({ query }, secret)).text).toBe(oldAnswer);
    await engine.post(
      "/v2/query",
      { type: "run_sql", args: { sql: "create table ghost (id integer primary key)" } },
      secret,
    );
    await administer("reload_metadata", { reload_sources: true });
    expect((await send({ query }, secret)).json).toEqual({ data: { ghost: [] } });
  });

  it("Operations of a batch are forwarded one by one", async () => {
    const { json, status } = await send([
      { query: "{ author { name } }" },
      { query: "{ article { id } }" },
      { query: "{ author { born } }" },
    ]);
    expect(status).toBe(200);
    expect(json).toMatchObject([
      { data: { author: [{ name: "Ann" }] } },
      { data: { article: [{}] } },
      { errors: [{ message: "field 'born' not found in type: 'author'" }] },
    ]);
    expect(old.requests).toHaveLength(1);
  });

  it("A query in the URL is forwarded in the URL", async () => {
    const url = `${engine.url}/v1/graphql?query=${encodeURIComponent("{ article { id } }")}`;
    expect(await (await fetch(url, { headers: user })).text()).toBe(oldAnswer);
    expect(old.requests).toMatchObject([{ method: "GET", body: "" }]);
    expect(new URL(old.requests[0]?.url ?? "", old.url).searchParams.get("query")).toBe("{ article { id } }");
  });

  it("The Relay API is forwarded under its older path", async () => {
    expect((await engine.post("/v1/relay", { query: "{ article_connection { edges { cursor } } }" }, user)).text).toBe(
      oldAnswer,
    );
    expect(old.requests).toMatchObject([{ url: "/base/v1beta1/relay" }]);
  });
});

describe("What is not forwarded", () => {
  it.each([
    ["a column that only the administrator has here", "{ author { born } }"],
    ["a root field that only the administrator has here", "{ author_aggregate { aggregate { count } } }"],
    ["an absent field beside a column that the role lacks here", "{ author { born } article { id } }"],
    ["an absent argument", "{ author(filter: {}) { id } }"],
    ["an absent column in a condition", "{ author(where: {rating: {_gt: 1}}) { id } }"],
    ["an absent relationship in a condition", "{ author(where: {articles: {id: {_eq: 1}}}) { id } }"],
    ["an absent column in an order", "{ author(order_by: {rating: asc}) { id } }"],
    ["an absent enum value", "{ author(distinct_on: rating) { id } }"],
    ["a variable of an absent type", "query ($w: article_bool_exp) { author(where: $w) { id } }"],
    ["text that is not GraphQL", "{ article {"],
  ])("The error is final for %s", async (_, query) => {
    const { json } = await send({ query });
    expect(json.errors).toHaveLength(1);
    expect(old.requests).toEqual([]);
  });

  it("Subscriptions are not forwarded", async () => {
    const client = await WebsocketClient.open(engine.url, { protocol: "graphql-transport-ws", headers: user });
    client.send({ type: "connection_init" });
    const next = async (): Promise<unknown> => {
      const message = (await client.next()) as { readonly type: string };
      return message.type === "ping" ? next() : message;
    };
    expect(await next()).toMatchObject({ type: "connection_ack" });
    client.send({ id: "1", type: "subscribe", payload: { query: "subscription { article { id } }" } });
    expect(await next()).toMatchObject({ id: "1", type: "error" });
    client.close();
    expect(old.requests).toEqual([]);
  });
});

describe("Faults of the old server", () => {
  const failure = (reason: string) => ({
    errors: [
      {
        message: "the operation is not served here, and the fallback server does not respond",
        extensions: { path: "$", code: "fallback-failed", internal: { reason } },
      },
    ],
  });

  it.each([
    ["A page of a proxy", 502, { "content-type": "text/html" }, "its response with the status 502 is not JSON"],
    ["A redirect", 307, { location: "http://127.0.0.1:1/" }, "its response has the status 307"],
  ])("%s is an error with status 502", async (_, status, headers, reason) => {
    old.respond = (_request, response) => response.writeHead(status, headers).end("<script>alert(1)</script>");
    const answer = await send({ query: "{ article { id } }" }, secret);
    expect(answer.status).toBe(502);
    expect(answer.json).toEqual(failure(reason));
  });

  it("A closed connection is an error, and roles do not see its reason", async () => {
    old.respond = (_, response) => response.destroy();
    const { status, json } = await send({ query: "{ article { id } }" });
    expect(status).toBe(502);
    expect(json.errors[0].extensions).toEqual({ path: "$", code: "fallback-failed" });
  });

  it("A response labelled as JSON that is not JSON fails its part of a batch only", async () => {
    old.respond = (_, response) => response.writeHead(200, { "content-type": "application/json" }).end("{");
    const { json } = await send([{ query: "{ article { id } }" }, { query: "{ author { name } }" }]);
    expect(json).toMatchObject([
      { errors: [{ extensions: { code: "fallback-failed" } }] },
      { data: { author: [{ name: "Ann" }] } },
    ]);
  });
});

describe("The record of forwarded operations", () => {
  it("Each distinct operation is logged once, without its values", async () => {
    const text = (id: number) => `query Logged { article(id: ${id}) { id } author { articles { id } } }`;
    for (const id of [7654321, 7654322, 7654323]) await send({ query: text(id) });
    const lines = linesOf("fallback").filter(({ detail }) => detail.operation_name === "Logged");
    expect(lines).toMatchObject([
      {
        detail: {
          operation_type: "query",
          role: "user",
          reason: "root_field",
          fields: ["query_root.article", "author.articles"],
        },
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain("765432");
  });

  it("The metric counts operations by the reason", async () => {
    const count = async (labels: string): Promise<number> => {
      const text = await (await fetch(`${engine.url}/v1/metrics`, { headers: secret })).text();
      const line = text
        .split("\n")
        .find((each) => each.startsWith(`engine_graphql_fallback_operations_total{${labels}`));
      return Number(line?.split(" ").at(-1) ?? 0);
    };
    const labels = 'reason="nested_field",status="success"';
    const before = await count(labels);
    await send({ query: "{ author { articles { id } } }" });
    expect(await count(labels)).toBe(before + 1);
  });
});

/**
 * A server with `--fallback`: the old server neither lifts what this server refuses, nor receives more of a request
 * than its caller may send.
 */
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fallbackHeaders } from "../../../runtime/http/fallback.ts";
import { type OldEngine, respondWithArticle, startOldEngine } from "../../support/old-engine.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const secret = { "X-Engine-Admin-Secret": "very-secret" };
const as = (role: string) => ({ ...secret, "X-Engine-Role": role });
const absent = "{ article { id } }";

let old: OldEngine;
let engine: TestServer;

const administer = async (type: string, args: unknown): Promise<void> => {
  const { status, text } = await engine.post("/v1/metadata", { type, args }, secret);
  if (status !== 200) throw new Error(text);
};

beforeAll(async () => {
  old = await startOldEngine();
  engine = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_ADMIN_SECRET: "very-secret",
      ENGINE_GRAPHQL_UNAUTHORIZED_ROLE: "visitor",
      ENGINE_GRAPHQL_FALLBACK: old.url,
    },
  });
  const sql = "create table author (id integer primary key, secret text)";
  await engine.post("/v2/query", { type: "run_sql", args: { sql } }, secret);
  await administer("pg_track_table", { table: "author" });
  const permission = { columns: ["id"], filter: {} };
  for (const role of ["user", "limited", "hidden"]) {
    await administer("pg_create_select_permission", { table: "author", role, permission });
  }
  await administer("set_api_limits", {
    disabled: false,
    rate_limit: {
      global: { max_reqs_per_min: 10_000, unique_params: null },
      per_role: { limited: { max_reqs_per_min: 1, unique_params: null } },
    },
    depth_limit: { global: 3 },
  });
  await administer("set_graphql_schema_introspection_options", { disabled_for_roles: ["hidden"] });
});

/** Operations on something absent and something that role `user` lacks here. */
const mixed = [
  "{ article { id } author { secret } }",
  "{ article { id } ...hidden } fragment hidden on query_root { author { secret } }",
  "{ article { id } ... on old_root { author { secret } } }",
  "{ article { id } author { ... on old_author { secret } } }",
  "{ article { id } a: author { id } a: author { secret } }",
  '{ article { id } author(where: {secret: {_eq: "x"}}) { id } }',
  "query($w: author_bool_exp) { article { id } author(where: $w) { id } }",
  "{ article { id } author_by_pk(id: 1) { secret } }",
  "{ author { articles { id } secret } }",
  "mutation { insert_article_one(object: {}) { id } delete_author(where: {}) { affected_rows } }",
  "mutation { insert_article_one(object: {}) { author { secret } } insert_author(objects: []) { affected_rows } }",
];

afterAll(async () => {
  await engine?.close();
  await old?.close();
});

beforeEach(() => {
  old.requests.length = 0;
  old.respond = respondWithArticle;
});

const send = (query: string, headers: Record<string, string> = as("user"), variables?: unknown) =>
  engine.post("/v1/graphql", { query, variables }, headers);

describe("Admission", () => {
  it("A wrong secret reaches nothing", async () => {
    const { json } = await send(absent, { "X-Engine-Admin-Secret": "wrong" });
    expect(json.errors[0].extensions.code).toBe("access-denied");
    expect(old.requests).toEqual([]);
  });

  it("The second of two equal keys cannot carry another operation to the old server", async () => {
    const read = "{ article { read } }";
    await engine.post("/v1/graphql", `{"query":"{ author { secret } }","query":${JSON.stringify(read)}}`, as("user"));
    expect(old.requests.map(({ body }) => body)).toEqual([JSON.stringify({ query: read })]);
  });

  it("The allow-list applies to operations on absent objects", async () => {
    const strict = await startTestServer({
      environment: {
        ENGINE_GRAPHQL_ADMIN_SECRET: "very-secret",
        ENGINE_GRAPHQL_FALLBACK: old.url,
        ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "true",
      },
    });
    const metadata = {
      version: 3,
      sources: [],
      query_collections: [{ name: "allowed", definition: { queries: [{ name: "absent", query: absent }] } }],
      allowlist: [{ collection: "allowed", scope: { global: true } }],
    };
    const args = { metadata, allow_inconsistent_metadata: true };
    expect((await strict.post("/v1/metadata", { type: "replace_metadata", version: 2, args }, secret)).status).toBe(
      200,
    );
    const refused = await strict.post("/v1/graphql", { query: "{ article { id title } }" }, as("user"));
    const forwarded = await strict.post("/v1/graphql", { query: absent }, as("user"));
    await strict.close();
    expect(refused.json.errors[0].message).toBe("query is not allowed");
    expect(forwarded.json).toHaveProperty("data");
    expect(old.requests.map(({ body }) => body)).toEqual([JSON.stringify({ query: absent })]);
  });

  it("Rate limits count forwarded operations", async () => {
    await send(absent, as("limited"));
    const { json } = await send(absent, as("limited"));
    expect(json.errors[0].extensions.code).toBe("rate-limit-exceeded");
    expect(old.requests).toHaveLength(1);
  });

  it("Limits of depth apply to absent fields", async () => {
    const { json } = await send("{ article { a { b { c { d { e } } } } } }");
    expect(json.errors[0].extensions.code).toBe("depth-limit-exceeded");
    expect(old.requests).toEqual([]);
  });

  it("A GET request cannot run a mutation on the old server", async () => {
    const query = encodeURIComponent("mutation { insert_article_one(object: {}) { id } }");
    await fetch(`${engine.url}/v1/graphql?query=${query}`, { headers: as("user") });
    expect(old.requests).toEqual([]);
  });

  it("A GET request forwards only the operation that was admitted, without other parameters", async () => {
    const query = encodeURIComponent(absent);
    await fetch(`${engine.url}/v1/graphql?query=${query}&access_token=t&documentId=other`, { headers: as("user") });
    const twice = `query=${query}&query=${encodeURIComponent("{ article { secret } }")}`;
    await fetch(`${engine.url}/v1/graphql?${twice}`, { headers: as("user") });
    const sent = old.requests.map(({ url }) => [...new URL(url, old.url).searchParams]);
    expect(sent).toContainEqual([["query", absent]]);
    expect(sent.filter((each) => each.length !== 1)).toEqual([]);
  });
});

describe("Permissions here", () => {
  it.each(mixed)("An absent field does not carry a refused one to the old server: %s", async (query) => {
    const variables = query.includes("$w") ? { w: { secret: { _eq: "x" } } } : undefined;
    const { json } = await send(query, as("user"), variables);
    expect(json.errors).toHaveLength(1);
    expect(old.requests).toEqual([]);
  });

  it("Introspection that is disabled for a role is not forwarded", async () => {
    const { json } = await send("{ article { id } __schema { types { name } } }", as("hidden"));
    expect(json.errors[0].message).toContain("introspection is disabled");
    expect(old.requests).toEqual([]);
  });
});

describe("Forwarded headers", () => {
  const headersOf = (headers: Record<string, string>, session: { role: string; choosesRole?: boolean }) =>
    fallbackHeaders(headers, session, "x-hasura-");

  it("The old server uses the role of the session, whichever role the headers name for it", async () => {
    await send(absent, { "X-Hasura-Role": "admin", "X-Hasura-User-Id": "7" });
    expect(old.requests[0]?.headers).toMatchObject({ "x-hasura-role": "visitor" });
    expect(old.requests[0]?.headers["x-hasura-user-id"]).toBeUndefined();
    expect(
      headersOf({ "x-engine-role": "user", "x-hasura-role": "admin" }, { role: "user", choosesRole: true }),
    ).toEqual({
      "x-hasura-role": "user",
    });
  });

  it("Variables of a caller with the admin secret pass under the old names, in the values used here", () => {
    const headers = { "x-engine-user-id": "7", "x-hasura-user-id": "8", "x-engine-admin-secret": "s" };
    expect(headersOf(headers, { role: "user", choosesRole: true })).toEqual({
      "x-hasura-user-id": "7",
      "x-hasura-admin-secret": "s",
      "x-hasura-role": "user",
    });
  });

  it("Credentials pass; headers of the connection do not, including those that the client nominates", () => {
    const headers = {
      authorization: "Bearer t",
      cookie: "c=1",
      host: "here",
      connection: "keep-alive, X-Internal",
      "x-internal": "1",
      "keep-alive": "timeout=5",
      "transfer-encoding": "chunked",
      "content-length": "5",
      "proxy-authorization": "Basic x",
      te: "trailers",
      upgrade: "h2c",
    };
    expect(headersOf(headers, { role: "user" })).toEqual({
      authorization: "Bearer t",
      cookie: "c=1",
      "x-hasura-role": "user",
    });
  });

  it("A request that a fallback has forwarded is not forwarded again, so servers cannot call each other forever", async () => {
    await send(absent);
    const via = String(old.requests[0]?.headers.via);
    await send(absent, { ...as("user"), via });
    expect(old.requests).toHaveLength(1);
  });

  it("A smuggled second request in the body stays in the body", async () => {
    const body = JSON.stringify({ query: absent, variables: null });
    const smuggled = `${body}\r\n\r\nPOST /v2/query HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;
    const { port } = new URL(engine.url);
    const head = `POST /v1/graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Engine-Admin-Secret: very-secret\r\nConnection: close\r\nContent-Length: ${smuggled.length}\r\n\r\n`;
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.write(head + smuggled));
      socket.resume().on("close", () => resolve());
    });
    expect(old.requests).toEqual([]);
  });
});

describe("Addresses of the old server", () => {
  it("The outbound rules apply to it", async () => {
    const other = await startTestServer({
      environment: { ENGINE_GRAPHQL_FALLBACK: old.url, ENGINE_GRAPHQL_OUTBOUND_ALLOW: "hooks.example.com" },
    });
    const { status, json } = await other.post("/v1/graphql", { query: absent });
    await other.close();
    expect(status).toBe(502);
    expect(JSON.stringify(json)).toContain("is not among the hosts of --outbound-allow");
    expect(old.requests).toEqual([]);
  });
});

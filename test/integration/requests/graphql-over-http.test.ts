/** Queries in the URL, and the responses for clients that accept the media type of GraphQL over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const secret = { "x-engine-admin-secret": "shibboleth" };
const modern = { accept: "application/graphql-response+json, application/json;q=0.9" };
const modernType = "application/graphql-response+json; charset=utf-8";
const jsonType = "application/json; charset=utf-8";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { ENGINE_GRAPHQL_ADMIN_SECRET: "shibboleth" } });
  const sql = "create table book (id int primary key, title text); insert into book values (1, 'one'), (2, 'two')";
  await server.post("/v2/query", { type: "run_sql", args: { sql } }, secret);
  await server.post("/v1/metadata", { type: "pg_track_table", args: { table: "book" } }, secret);
}, 60_000);

afterAll(() => server?.close());

async function get(parameters: Record<string, string> | [string, string][], headers: Record<string, string> = {}) {
  const url = `${server.url}/v1/graphql?${new URLSearchParams(parameters)}`;
  const response = await fetch(url, { headers: { ...secret, ...headers } });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: JSON.parse(text) };
}

const find =
  "query A($id: Int) { book(where: {id: {_eq: $id}}) { title } } query B { book_aggregate { nodes { id } } }";

describe("GraphQL by GET", () => {
  it("GET runs the query of its parameters and forbids caching of the response", async () => {
    const answer = await get({ query: find, operationName: "A", variables: '{"id": 2}', extensions: "{}" });
    expect([answer.status, answer.json]).toEqual([200, { data: { book: [{ title: "two" }] } }]);
    expect(answer.headers.get("content-type")).toBe(jsonType);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await get({ query: "{ book(limit: 1) { id } }", operationName: "", variables: "" })).status).toBe(200);
  });

  it.each([
    ["a mutation", "mutation { delete_book(where: {}) { affected_rows } }"],
    ["a subscription", "subscription { book { id } }"],
  ])("GET refuses %s", async (_, text) => {
    for (const headers of [{}, modern]) {
      const answer = await get({ query: text }, headers);
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
      expect(answer.json.errors[0].extensions.code).toBe("not-supported");
    }
    expect(await query(server.databaseUrl, "select count(*)::int from book")).toEqual([{ count: 2 }]);
  });

  it("Only the named operation determines whether GET is allowed", async () => {
    const text = "query A { book { id } } mutation B { delete_book(where: {}) { affected_rows } }";
    expect((await get({ query: text, operationName: "A" })).status).toBe(200);
    expect((await get({ query: text, operationName: "B" })).status).toBe(405);
  });

  it("GET refuses a persisted query without text and accepts one with text", async () => {
    const extensions = '{"persistedQuery": {"version": 1, "sha256Hash": "x"}}';
    expect((await get({ extensions })).json.errors[0].message).toBe("PersistedQueryNotSupported");
    expect((await get({ query: "{ book { id } }", extensions })).json).toHaveProperty("data");
  });

  it.each<[[string, string][], string, string]>([
    [[], "$", 'key "query" not found'],
    [
      [
        ["query", "{ a }"],
        ["query", "{ b }"],
      ],
      "$.query",
      'the parameter "query" occurs more than once',
    ],
    [
      [
        ["query", "{ a }"],
        ["variables", "{"],
      ],
      "$.variables",
      'the parameter "variables" is not valid JSON',
    ],
    [
      [
        ["query", "{ a }"],
        ["variables", "[]"],
      ],
      "$.variables",
      "expected Object",
    ],
  ])("GET reports the error of %j", async (parameters, path, message) => {
    const { json } = await get(parameters);
    expect(json.errors[0]).toMatchObject({ message: expect.stringContaining(message), extensions: { path } });
  });

  it("GET requires authentication", async () => {
    const { json } = await get({ query: "{ book { id } }" }, { "x-engine-admin-secret": "wrong" });
    expect(json.errors[0].extensions.code).toBe("access-denied");
  });
});

describe("Clients of the GraphQL response media type", () => {
  const ask = async (body: unknown, headers: Record<string, string>) => {
    const answer = await server.post("/v1/graphql", body, { ...secret, ...headers });
    return [answer.status, answer.headers.get("content-type")];
  };

  it.each([
    ["a result", { query: "{ book { id } }" }, 200],
    ["an unknown field", { query: "{ boook { id } }" }, 400],
    ["a syntax error", { query: "{" }, 400],
    ["a body that is not JSON", "{", 400],
    ["a body without a query", {}, 400],
    ["a violated constraint", { query: "mutation { insert_book_one(object: {id: 1}) { id } }" }, 400],
  ])("The modern media type has the status of %s", async (_, body, status) => {
    expect(await ask(body, modern)).toEqual([status, modernType]);
    expect(await ask(body, {})).toEqual([200, jsonType]);
  });

  it("The modern media type has status 401 for failed authentication", async () => {
    const wrong = { "x-engine-admin-secret": "wrong" };
    expect(await ask({ query: "{ book { id } }" }, { ...modern, ...wrong })).toEqual([401, modernType]);
    expect(await ask({ query: "{ book { id } }" }, wrong)).toEqual([200, jsonType]);
  });

  it("A batch is returned as plain JSON for any media type", async () => {
    expect(await ask([{ query: "{" }], modern)).toEqual([200, jsonType]);
  });

  it.each([
    ["application/graphql-response+json", modernType],
    ["application/json, application/graphql-response+json", modernType],
    ["Application/GraphQL-Response+JSON; charset=utf-8", modernType],
    ["application/json, application/graphql-response+json;q=0.5", jsonType],
    ["application/graphql-response+json;q=0", jsonType],
    ["*/*", jsonType],
    ["application/json", jsonType],
  ])("Accept: %s selects the media type", async (accept, type) => {
    expect((await ask({ query: "{ book { id } }" }, { accept }))[1]).toBe(type);
  });
});

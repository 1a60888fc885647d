/** Queries in the URL, and what clients get that know the media type of GraphQL over HTTP (ruling 32). */
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

describe("GET /v1/graphql", () => {
  it("runs the query that the parameters say, and lets nobody keep the answer", async () => {
    const answer = await get({ query: find, operationName: "A", variables: '{"id": 2}', extensions: "{}" });
    expect([answer.status, answer.json]).toEqual([200, { data: { book: [{ title: "two" }] } }]);
    expect(answer.headers.get("content-type")).toBe(jsonType);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await get({ query: "{ book(limit: 1) { id } }", operationName: "", variables: "" })).status).toBe(200);
  });

  it.each([
    ["a mutation", "mutation { delete_book(where: {}) { affected_rows } }"],
    ["a subscription", "subscription { book { id } }"],
  ])("takes no %s", async (_, text) => {
    for (const headers of [{}, modern]) {
      const answer = await get({ query: text }, headers);
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
      expect(answer.json.errors[0].extensions.code).toBe("not-supported");
    }
    expect(await query(server.databaseUrl, "select count(*)::int from book")).toEqual([{ count: 2 }]);
  });

  it("decides by the operation that is named", async () => {
    const text = "query A { book { id } } mutation B { delete_book(where: {}) { affected_rows } }";
    expect((await get({ query: text, operationName: "A" })).status).toBe(200);
    expect((await get({ query: text, operationName: "B" })).status).toBe(405);
  });

  it("offers no persisted queries, and needs none where the text is there", async () => {
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
      'the parameter "query" is given several times',
    ],
    [
      [
        ["query", "{ a }"],
        ["variables", "{"],
      ],
      "$.variables",
      'the parameter "variables" is no JSON',
    ],
    [
      [
        ["query", "{ a }"],
        ["variables", "[]"],
      ],
      "$.variables",
      "expected Object",
    ],
  ])("says what is wrong with %j", async (parameters, path, message) => {
    const { json } = await get(parameters);
    expect(json.errors[0]).toMatchObject({ message: expect.stringContaining(message), extensions: { path } });
  });

  it("asks who it is", async () => {
    const { json } = await get({ query: "{ book { id } }" }, { "x-engine-admin-secret": "wrong" });
    expect(json.errors[0].extensions.code).toBe("access-denied");
  });
});

describe("clients that know the media type", () => {
  const ask = async (body: unknown, headers: Record<string, string>) => {
    const answer = await server.post("/v1/graphql", body, { ...secret, ...headers });
    return [answer.status, answer.headers.get("content-type")];
  };

  it.each([
    ["an answer", { query: "{ book { id } }" }, 200],
    ["an unknown field", { query: "{ boook { id } }" }, 400],
    ["a syntax error", { query: "{" }, 400],
    ["a body that is no JSON", "{", 400],
    ["a body without a query", {}, 400],
    ["a violated constraint", { query: "mutation { insert_book_one(object: {id: 1}) { id } }" }, 400],
  ])("are told by the status of %s", async (_, body, status) => {
    expect(await ask(body, modern)).toEqual([status, modernType]);
    expect(await ask(body, {})).toEqual([200, jsonType]);
  });

  it("are told that they may not ask", async () => {
    const wrong = { "x-engine-admin-secret": "wrong" };
    expect(await ask({ query: "{ book { id } }" }, { ...modern, ...wrong })).toEqual([401, modernType]);
    expect(await ask({ query: "{ book { id } }" }, wrong)).toEqual([200, jsonType]);
  });

  it("get batches as ever, which have no such form", async () => {
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
  ])("say so by Accept: %s", async (accept, type) => {
    expect((await ask({ query: "{ book { id } }" }, { accept }))[1]).toBe(type);
  });
});

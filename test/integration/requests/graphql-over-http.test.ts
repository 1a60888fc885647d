/** Queries in the URL, and the responses for clients that accept the media type of GraphQL over HTTP. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { specifiedRules } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { root } from "../../support/shared-checks.ts";

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
    ["a result of a request with unknown members", { query: "{ book { id } }", documents: [1] }, 200],
    ["a result of a request with null members", { query: "{ book { id } }", variables: null, extensions: null }, 200],
    ["an unknown field", { query: "{ boook { id } }" }, 422],
    ["a syntax error", { query: "{" }, 400],
    ["a body that is not JSON", "{", 400],
    ["a body without a query", {}, 422],
    ["a list of variables", { query: "{ book { id } }", variables: [7] }, 422],
    ["several operations without a name", { query: find }, 422],
    ["an unknown operation", { query: find, operationName: "C" }, 422],
    ["a variable of the wrong type", { query: find, operationName: "A", variables: { id: {} } }, 422],
    ["a missing variable", { query: "query A($id: Int!) { book_by_pk(id: $id) { id } }" }, 422],
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

  it.each([
    ["application/json, */*", jsonType, 200],
    ["application/graphql-response+json;q=0.5, */*", jsonType, 200],
    ["application/graphql-response+json;q=0.5, application/*", jsonType, 200],
    ["application/graphql-response+json, */*", modernType, 422],
    ["application/graphql-response+json, */*;q=0.1", modernType, 422],
    ["text/html", jsonType, 200],
  ])("Accept: %s selects the media type and status of an error", async (accept, type, status) => {
    expect(await ask({ query: "{ boook { id } }" }, { accept })).toEqual([status, type]);
  });

  it("A response without GraphQL content has another media type", async () => {
    const missing = await fetch(`${server.url}/v1/none`, { headers: { ...secret, ...modern } });
    expect([missing.status, missing.headers.get("content-type")]).toEqual([404, jsonType]);
  });

  it.each(["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])(
    "%s is refused with the accepted methods",
    async (method) => {
      const response = await fetch(`${server.url}/v1/graphql`, { method, headers: { ...secret, ...modern } });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
      expect(await response.json()).toMatchObject({ path: "$", code: "method-not-allowed" });
    },
  );

  it("An operation outside the allow-list has the status of an invalid one", async () => {
    const permission = { table: "book", role: "reader", permission: { columns: ["id"], filter: {} } };
    await server.post("/v1/metadata", { type: "pg_create_select_permission", args: permission }, secret);
    const environment = { ENGINE_GRAPHQL_ADMIN_SECRET: "shibboleth", ENGINE_GRAPHQL_ENABLE_ALLOWLIST: "true" };
    const other = await startTestServer({ environment, on: server });
    const headers = { ...secret, ...modern, "x-engine-role": "reader" };
    const answer = await other.post("/v1/graphql", { query: "{ book { id } }" }, headers);
    await other.stop();
    expect([answer.status, answer.json.errors[0].extensions.code]).toEqual([422, "validation-failed"]);
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

describe("Hashes of saved operations", () => {
  const saved = "query Titles { book(where: {id: {_eq: 1}}) { title } }";
  const sha256Hash = createHash("sha256").update(saved).digest("hex");
  const documentId = `sha256:${sha256Hash}`;
  const extensions = { persistedQuery: { version: 1, sha256Hash } };
  const result = { data: { book: [{ title: "one" }] } };

  beforeAll(async () => {
    const args = { name: "trusted", definition: { queries: [{ name: "titles", query: saved }] } };
    await server.post("/v1/metadata", { type: "create_query_collection", args }, secret);
  });

  it("A saved operation runs by its hash in both forms, by POST, in a batch and by GET", async () => {
    expect((await server.post("/v1/graphql", { documentId }, secret)).json).toEqual(result);
    expect((await server.post("/v1/graphql", { extensions }, secret)).json).toEqual(result);
    expect((await server.post("/v1/graphql", [{ documentId }, { extensions }], secret)).json).toEqual([result, result]);
    expect((await get({ documentId })).json).toEqual(result);
    expect((await get({ extensions: JSON.stringify(extensions) })).json).toEqual(result);
  });

  it("An unknown hash is refused, and its text is not stored", async () => {
    const text = "query Ids { book { id } }";
    const unknown = createHash("sha256").update(text).digest("hex");
    const persisted = { persistedQuery: { version: 1, sha256Hash: unknown } };
    const codeOf = async (body: object) =>
      (await server.post("/v1/graphql", body, secret)).json.errors[0].extensions.code;
    expect(await codeOf({ documentId: `sha256:${unknown}` })).toBe("not-found");
    expect(await codeOf({ extensions: persisted })).toBe("not-supported");
    expect(await codeOf({ query: text, extensions: persisted })).toBe("not-supported");
    expect((await server.post("/v1/graphql", { query: text }, secret)).json).toHaveProperty("data");
    expect(await codeOf({ extensions: persisted })).toBe("not-supported");
  });
});

describe("Raw control characters in a JSON body", () => {
  it("A text keeps the raw control characters of its variable, and the operation those between its tokens", async () => {
    const title = "one\ttwo\nthree\u0001\u001f";
    const id = title.length;
    const text = "mutation ($row: book_insert_input!) {\n\tinsert_book_one(object: $row) {\r\n title } }";
    const body = `{"query": "${text}", "variables": {"row": {"id": ${id}, "title": "${title}"}}}`;
    const { json } = await server.post("/v1/graphql", body, secret);
    expect(json).toEqual({ data: { insert_book_one: { title } } });
    expect(await query(server.databaseUrl, "select title from book where id = $1", [id])).toEqual([{ title }]);
    await query(server.databaseUrl, "delete from book where id = $1", [id]);
  });

  it("A raw control character outside of strings is refused", async () => {
    const { json } = await server.post("/v1/graphql", '{"query": "{ book { id } }"\u0001}', secret);
    expect(json.errors[0].extensions.code).toBe("invalid-json");
  });
});

/** A document that violates each validation rule of GraphQL, and the status of its response. */
const rules: readonly [string, string | object, number][] = [
  ["ExecutableDefinitions", "{ book { id } } type A { a: Int }", 200],
  ["FieldsOnCorrectType", "{ book { none } }", 422],
  ["FragmentsOnCompositeTypes", "{ book { ...F } } fragment F on Int { id }", 200],
  ["KnownArgumentNames", "{ book(none: 1) { id } }", 422],
  ["KnownDirectives", "{ book @none { id } }", 422],
  ["KnownFragmentNames", "{ book { ...F } }", 422],
  ["KnownTypeNames", "query A($x: None) { book { id } }", 200],
  ["LoneAnonymousOperation", { query: "{ book { id } } query A { book { id } }", operationName: "A" }, 422],
  ["NoFragmentCycles", "{ book { ...F } } fragment F on book { ...F }", 422],
  ["NoUndefinedVariables", "{ book(limit: $x) { id } }", 422],
  ["NoUnusedFragments", "{ book { id } } fragment F on book { id }", 200],
  ["NoUnusedVariables", "query A($x: Int) { book { id } }", 200],
  ["OverlappingFieldsCanBeMerged", "{ book { id id: title } }", 422],
  ["PossibleFragmentSpreads", "{ book { ... on query_root { __typename } } }", 200],
  ["ProvidedRequiredArguments", "{ book_by_pk { id } }", 422],
  ["ScalarLeafs", "{ book }", 422],
  ["UniqueArgumentNames", "{ book(limit: 1, limit: 1) { id } }", 200],
  ["UniqueDirectivesPerLocation", "{ book { id @skip(if: true) @skip(if: true) } }", 422],
  ["UniqueFragmentNames", "{ book { ...F } } fragment F on book { id } fragment F on book { id }", 422],
  ["UniqueInputFieldNames", "{ book(where: {id: {_eq: 1}, id: {_eq: 1}}) { id } }", 200],
  ["UniqueOperationNames", { query: "query A { book { id } } query A { book { id } }", operationName: "A" }, 200],
  ["UniqueVariableNames", "query A($x: Int, $x: Int) { book(limit: $x) { id } }", 422],
  ["ValuesOfCorrectType", '{ book(limit: "x") { id } }', 422],
  ["VariablesAreInputTypes", "query A($x: book) { book { id } }", 200],
  ["VariablesInAllowedPosition", "query A($x: String) { book(limit: $x) { id } }", 422],
];

describe("Validation rules of GraphQL", () => {
  it.each(rules)("A document that violates %s has its documented status", async (_, document, status) => {
    const body = typeof document === "string" ? { query: document } : document;
    expect((await server.post("/v1/graphql", body, { ...secret, ...modern })).status).toBe(status);
  });

  it("Each rule that is not applied is listed in the reference", async () => {
    const page = await readFile(join(root, "docs/reference/http.md"), "utf8");
    const section = page.slice(page.indexOf("without these rules:")).split("|")[0] ?? "";
    const listed = [...section.matchAll(/`([A-Z][A-Za-z]+)`/g)].map(([, name]) => name);
    expect(listed.sort()).toEqual(rules.flatMap(([name, , status]) => (status === 200 ? [name] : [])).sort());
    const others = new Set(["SingleFieldSubscriptions", "MaxIntrospectionDepth"]);
    const names = specifiedRules.map(({ name }) => name.replace(/Rule$/, "")).filter((name) => !others.has(name));
    expect(rules.map(([name]) => name)).toEqual(names.sort());
  });
});

describe("Responses with data and errors", () => {
  let remote: RemoteGraphql;

  beforeAll(async () => {
    remote = await startRemoteGraphql("type Query { a: Int b: Int }", 0, {
      answer: ({ query: text }) =>
        JSON.stringify({ data: { a: text.includes("b") ? null : 1, b: null }, errors: [{ message: "none" }] }),
    });
    const definition = { url: `http://127.0.0.1:${remote.port}/` };
    await server.post("/v1/metadata", { type: "add_remote_schema", args: { name: "other", definition } }, secret);
  });

  afterAll(() => remote?.close());

  it.each([
    ["null data", "{ b }", { data: null }],
    ["data beside a failed field", "{ book(limit: 1) { id } b }", {}],
  ])("A response with errors and %s has status 294 for the modern media type", async (_, text, data) => {
    const answer = await server.post("/v1/graphql", { query: text }, { ...secret, ...modern });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([294, modernType]);
    expect(answer.json).toMatchObject({ ...data, errors: [{ message: "none" }] });
    expect((await server.post("/v1/graphql", { query: text }, secret)).status).toBe(200);
  });
});

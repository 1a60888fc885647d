/** REST endpoints and the endpoints for administrators, over HTTP on a real database. */

import { request as httpRequest } from "node:http";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missingProgram } from "../../support/missing-program.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

const tables = `
  create table book (id int primary key, title text not null, price numeric, lent boolean not null default false);
  insert into book values (1, 'Solaris', 12.50, false), (2, 'Momo', null, true), (3, 'a/b', 3, false);`;

const queries = {
  books: "query ($lent: Boolean = false) { book(where: {lent: {_eq: $lent}}, order_by: {id: asc}) { id title } }",
  book: "query ($id: Int!) { book_by_pk(id: $id) { title } }",
  titled: "query ($title: String!) { book(where: {title: {_eq: $title}}) { id } }",
  add: "mutation ($id: Int!, $title: String!) { insert_book_one(object: {id: $id, title: $title}) { id } }",
  some: "query ($ids: [Int!]!) { book(where: {id: {_in: $ids}}, order_by: {id: asc}) { id } }",
};

beforeAll(async () => {
  server = await startTestServer();
  await server.post("/v2/query", { type: "run_sql", args: { sql: tables } });
  await server.metadata("pg_track_table", { table: "book" });
  const definition = { queries: Object.entries(queries).map(([name, query]) => ({ name, query })) };
  await server.metadata("create_query_collection", { name: "shop", definition });
  await endpoint("books", "books", ["GET", "POST"]);
  await endpoint("book", "books/:id", ["GET"]);
  await endpoint("titled", "titled/:title", ["GET"]);
  await endpoint("add", "books", ["PUT"], "add");
  await endpoint("some", "some", ["GET", "POST"]);
});

afterAll(() => server.close());

async function endpoint(name: string, url: string, methods: readonly string[], query = name): Promise<void> {
  const definition = { query: { collection_name: "shop", query_name: query } };
  await server.metadata("create_rest_endpoint", { name, url, methods, definition });
}

interface Given {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

async function ask(path: string, { method = "GET", headers = {}, body }: Given = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: text }),
  });
  return { status: answer.status, json: await answer.json() };
}

describe("REST endpoints in requests", () => {
  it("A REST endpoint returns the result of its query", async () => {
    expect(await ask("/api/rest/books/2")).toEqual({ status: 200, json: { data: { book_by_pk: { title: "Momo" } } } });
  });

  it("A REST endpoint reads variables from path, query string and body", async () => {
    expect((await ask("/api/rest/books?lent=true")).json).toEqual({ data: { book: [{ id: 2, title: "Momo" }] } });
    expect((await ask("/api/rest/books?lent")).json).toEqual({ data: { book: [{ id: 2, title: "Momo" }] } });
    expect((await ask("/api/rest/titled/a%2Fb")).json).toEqual({ data: { book: [{ id: 3 }] } });
    const some = await ask("/api/rest/some", { method: "POST", body: { ids: [1, 3] } });
    expect(some.json).toEqual({ data: { book: [{ id: 1 }, { id: 3 }] } });
  });

  describe("REST endpoints with a form body", () => {
    const headers = { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" };
    const send = (path: string, body: string, method = "POST") => ask(`/api/rest/${path}`, { method, headers, body });

    it("Form fields are parsed like URL values, between the query string and the path", async () => {
      expect((await send("books", "lent=true")).json).toEqual({ data: { book: [{ id: 2, title: "Momo" }] } });
      expect((await send("books?lent=false", "lent=true")).json).toHaveProperty("data.book.length", 2);
      expect((await send("books", "")).json).toHaveProperty("data.book.length", 2);
      expect((await send("books", "id=8&title=D%C3%B6rte+%26+ich%3D", "PUT")).json).toEqual({
        data: { insert_book_one: { id: 8 } },
      });
      expect((await ask("/api/rest/titled/D%C3%B6rte%20%26%20ich%3D")).json).toEqual({ data: { book: [{ id: 8 }] } });
      await server.post("/v2/query", { type: "run_sql", args: { sql: "delete from book where id = 8" } });
    });

    it("A JSON body sent with the form content type is accepted", async () => {
      expect((await send("some", ' {"ids": [3]}')).json).toEqual({ data: { book: [{ id: 3 }] } });
    });

    it.each([
      ["books", "lent=true&other=1", 400, "bad-request", /^Unexpected variable other$/],
      ["books", "lent=maybe", 400, "bad-request", /^Values of type Boolean cannot be read/],
      ["some", "ids=1&ids=2", 400, "bad-request", /^List variables are not/],
      ["books", "__proto__=1", 400, "bad-request", /^Unexpected variable __proto__$/],
      ["books", "lent=true&".repeat(1001), 413, "bad-request", /^a form is limited to 1000 fields/],
      ["books", `lent=${"a".repeat(1024 * 1024)}`, 413, "bad-request", /^a form is limited to 1048576 characters/],
    ])("The form is refused: %s, %.20s: %i %s", async (path, body, status, code, error) => {
      const json = expect.objectContaining({ path: "$", code, error: expect.stringMatching(error) });
      expect(await send(path, body)).toEqual({ status, json });
    });

    it("A multipart form is refused with the supported content types", async () => {
      const body = new FormData();
      body.set("lent", "true");
      const answer = await fetch(`${server.url}/api/rest/books`, { method: "POST", body });
      expect(answer.status).toBe(415);
      expect(await answer.json()).toMatchObject({
        code: "not-supported",
        error: expect.stringContaining("application/x-www-form-urlencoded"),
      });
    });
  });

  it("A REST endpoint runs mutations", async () => {
    const body = { id: 9, title: "Emil" };
    expect(await ask("/api/rest/books", { method: "PUT", body })).toEqual({
      status: 200,
      json: { data: { insert_book_one: { id: 9 } } },
    });
    await server.post("/v2/query", { type: "run_sql", args: { sql: "delete from book where id = 9" } });
  });

  it.each([
    ["/api/rest/books/x", "GET", 400, "bad-request", /^Values of type Int! cannot be read/],
    ["/api/rest/books/1?other=1", "GET", 400, "bad-request", /^Unexpected variable other$/],
    ["/api/rest/some?ids=1", "GET", 400, "bad-request", /^List variables are not/],
    ["/api/rest/titled", "GET", 404, "not-found", /^Endpoint not found$/],
    ["/api/rest/", "GET", 404, "not-found", /^Endpoint not found$/],
    ["/api/rest/books/%FF", "GET", 400, "bad-request", /malformed segment "%FF" in the path/],
    ["/api/rest/books", "DELETE", 405, "method-not-allowed", /^Allowed methods: GET, POST, PUT$/],
    ["/api/rest/books", "OPTIONS", 400, "bad-request", /^Method OPTIONS not supported\.$/],
    ["/api/rest/some", "GET", 400, "validation-failed", /^expecting a value for non-nullable variable: "ids"$/],
  ])("%s %s is refused: %i %s", async (path, method, status, code, error) => {
    const answer = await ask(path, { method });
    expect(answer).toEqual({
      status,
      json: expect.objectContaining({ path: "$", code, error: expect.stringMatching(error) }),
    });
  });

  it("A REST endpoint refuses invalid JSON and ignores a body that is not an object", async () => {
    expect(await ask("/api/rest/books", { method: "POST", body: "{" })).toMatchObject({
      status: 400,
      json: { code: "invalid-json" },
    });
    expect((await ask("/api/rest/books", { method: "POST", body: [1] })).status).toBe(200);
  });

  it("A REST endpoint runs as the role of the request", async () => {
    const answer = await ask("/api/rest/books", { headers: { "x-engine-role": "visitor" } });
    expect(answer).toEqual({
      status: 400,
      json: {
        path: "$.selectionSet.book",
        code: "validation-failed",
        error: "field 'book' not found in type: 'query_root'",
      },
    });
  });

  it("REST endpoints follow the metadata, and ambiguous ones return status 500", async () => {
    await endpoint("late", "late", ["GET"], "books");
    expect((await ask("/api/rest/late")).status).toBe(200);
    const { metadata } = (await server.metadata("export_metadata", {})) as { metadata?: unknown } & object;
    const exported = (metadata ?? (await server.metadata("export_metadata", {}))) as {
      rest_endpoints: { name: string; url: string }[];
    };
    const endpoints = exported.rest_endpoints.map((each) => (each.name === "late" ? { ...each, url: ":any" } : each));
    const changed = { ...exported, rest_endpoints: endpoints };
    await server.metadata("replace_metadata", { allow_inconsistent_metadata: true, metadata: changed });
    expect(await ask("/api/rest/books")).toEqual({
      status: 500,
      json: expect.objectContaining({ code: "unexpected", error: "Multiple endpoints match request" }),
    });
    await server.metadata("drop_rest_endpoint", { name: "late" });
    expect((await ask("/api/rest/books")).status).toBe(200);
    expect((await ask("/api/rest/late")).status).toBe(404);
  });
});

it("A REST endpoint returns only the value of data if it is configured so", async () => {
  const other = await startTestServer({ on: server, environment: { ENGINE_GRAPHQL_REST_RESPONSE: "data" } });
  try {
    const answer = await fetch(`${other.url}/api/rest/books/1`);
    expect(await answer.json()).toEqual({ book_by_pk: { title: "Solaris" } });
  } finally {
    await other.stop();
  }
});

describe("The configuration endpoint", () => {
  it("The configuration endpoint shows how the server was started", async () => {
    expect(await ask("/v1alpha1/config")).toMatchObject({
      status: 200,
      json: {
        is_admin_secret_set: false,
        is_jwt_set: false,
        jwt: null,
        live_queries: { batch_size: 100, refetch_delay: 1 },
        experimental_features: [],
      },
    });
  });

  it("The configuration endpoint is restricted to admins", async () => {
    expect(await ask("/v1alpha1/config", { headers: { "x-engine-role": "user" } })).toEqual({
      status: 400,
      json: { path: "$", code: "access-denied", error: "You have to be an admin to access this endpoint" },
    });
  });

  it("The configuration endpoint and the dump can be disabled", async () => {
    const other = await startTestServer({ on: server, environment: { ENGINE_GRAPHQL_ENABLED_APIS: "graphql" } });
    try {
      expect((await fetch(`${other.url}/v1alpha1/config`)).status).toBe(404);
      expect((await fetch(`${other.url}/v1alpha1/pg_dump`, { method: "POST" })).status).toBe(404);
      expect((await fetch(`${other.url}/api/rest/books/1`)).status).toBe(200);
    } finally {
      await other.stop();
    }
  });
});

describe("The pg_dump endpoint", () => {
  it.each([
    [{}, "$", "parse-failed"],
    [{ opts: [1] }, "$.opts[0]", "parse-failed"],
    [{ opts: [], source: "other" }, "$.source", "not-found"],
    [[], "$", "parse-failed"],
  ])("The pg_dump endpoint refuses %j", async (body, path, code) => {
    expect(await ask("/v1alpha1/pg_dump", { method: "POST", body })).toMatchObject({
      status: 400,
      json: { path, code },
    });
  });

  it("A failing or missing pg_dump program is reported", async () => {
    const body = { opts: ["--strict-names", "--table=no_such_table"] };
    const answer = await ask("/v1alpha1/pg_dump", { method: "POST", body });
    expect(answer).toMatchObject({
      status: 500,
      json: {
        code: "unexpected",
        error: expect.stringMatching(/while executing pg_dump$/),
        internal: expect.any(String),
      },
    });
  });
});

describe.skipIf(missingProgram("pg_dump"))("Clean dumps", () => {
  const sql = (text: string) => ask("/v2/query", { method: "POST", body: { type: "run_sql", args: { sql: text } } });

  it("A clean dump can be run by run_sql", async () => {
    await sql("create schema dumped; create table dumped.t (id integer primary key, text text default E'a\\n--b')");
    await sql(
      "create function dumped.f() returns text language sql as $$\n-- c\nselect 'd' $$; insert into dumped.t values (1)",
    );
    const opts = ["--schema=dumped", "--inserts", "--no-owner"];
    const dumped = await fetch(`${server.url}/v1alpha1/pg_dump`, {
      method: "POST",
      body: JSON.stringify({ opts, clean_output: true }),
    });
    const text = await dumped.text();
    expect([dumped.status, text]).toEqual([200, expect.stringContaining("CREATE TABLE dumped.t")]);
    expect(await sql("drop schema dumped cascade")).toMatchObject({ status: 200 });
    expect(await sql(text)).toMatchObject({ status: 200 });
    expect((await sql("select text, dumped.f() from dumped.t")).json).toMatchObject({
      result: [
        ["text", "f"],
        ["a\n--b", "d"],
      ],
    });
    await sql("drop schema dumped cascade");
  });
});

describe("Compression of responses", () => {
  const raw = (path: string, headers: Record<string, string>): Promise<{ encoding: unknown; text: string }> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(`${server.url}${path}`, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const encoding = response.headers["content-encoding"];
          expect(Number(response.headers["content-length"])).toBe(bytes.length);
          resolve({ encoding, text: (encoding === "gzip" ? gunzipSync(bytes) : bytes).toString("utf8") });
        });
      });
      sent.on("error", reject);
      sent.end();
    });

  it("Compression depends on the accepted encodings and the size", async () => {
    const small = await raw("/api/rest/books", { "accept-encoding": "gzip" });
    const forced = await raw("/api/rest/books", { "accept-encoding": "gzip, identity;q=0" });
    expect(small.encoding).toBeUndefined();
    expect(forced).toEqual({ encoding: "gzip", text: small.text });
  });

  it("Errors are not compressed", async () => {
    const { encoding } = await raw("/api/rest/none", { "accept-encoding": "gzip, identity;q=0" });
    expect(encoding).toBeUndefined();
  });
});

/** Responses of many megabytes: identical for all clients and content encodings. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await query(
    server.databaseUrl,
    `create table page (id integer primary key, text text);
     insert into page select i, repeat('ä€😀 "' || i, 200) from generate_series(1, 5000) i;
     create function pages() returns setof page language sql volatile as 'select * from page order by id'`,
  );
  await server.metadata("pg_track_table", { table: "page" });
  await server.metadata("pg_track_function", {
    function: "pages",
    configuration: { exposed_as: "query" },
  });
});

afterAll(() => server.close());

const rows = () => query(server.databaseUrl, "select id, text from page order by id");
const hashOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

async function ask(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(`${server.url}/v1/graphql`, {
    method: "POST",
    headers: { "accept-encoding": "identity", ...headers },
    body: JSON.stringify(body),
  });
}

describe("Rows of many megabytes", () => {
  it.each(["identity", "gzip"])("A large row is returned complete: %s", async (encoding) => {
    const response = await ask({ query: "{ page(order_by: {id: asc}) { id text } }" }, { "accept-encoding": encoding });
    expect(response.headers.get("content-encoding")).toBe(encoding === "gzip" ? "gzip" : null);
    const text = await response.text();
    if (encoding === "identity") {
      expect(Number(response.headers.get("content-length"))).toBe(Buffer.byteLength(text));
      expect(Buffer.byteLength(text)).toBeGreaterThan(10_000_000);
    }
    expect(hashOf(JSON.parse(text))).toBe(hashOf({ data: { page: await rows() } }));
  });

  it("A large row is returned under an alias, from a function and in the modern media type", async () => {
    const response = await ask(
      { query: "{ all: pages { id text } }" },
      { accept: "application/graphql-response+json" },
    );
    expect(response.headers.get("content-type")).toBe("application/graphql-response+json; charset=utf-8");
    expect(hashOf(await response.json())).toBe(hashOf({ data: { all: await rows() } }));
  });

  it("A large row is returned beside other fields, in batches and from the cache", async () => {
    const all = await rows();
    const both = await ask({ query: "{ page(order_by: {id: asc}) { id text } page_by_pk(id: 1) { id } }" });
    expect(hashOf(await both.json())).toBe(hashOf({ data: { page: all, page_by_pk: { id: 1 } } }));
    const item = { query: "{ page(order_by: {id: asc}) { id text } }" };
    expect(hashOf(await (await ask([item, item])).json())).toBe(
      hashOf([{ data: { page: all } }, { data: { page: all } }]),
    );
    const cached = { query: "query @cached { page(order_by: {id: asc}) { id text } }" };
    for (let time = 0; time < 2; time++) {
      expect(hashOf(await (await ask(cached)).json())).toBe(hashOf({ data: { page: all } }));
    }
  });
});

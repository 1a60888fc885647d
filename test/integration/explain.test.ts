/** The explain endpoint on a real database. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  const sql = "create table book (id int primary key, title text not null, owner text);";
  await server.post("/v2/query", { type: "run_sql", args: { sql } });
  await server.metadata("pg_track_table", { table: "book" });
  const permission = { columns: ["id", "title"], filter: { owner: { _eq: "X-Engine-User-Id" } } };
  await server.metadata("pg_create_select_permission", { table: "book", role: "user", permission });
});

afterAll(() => server.close());

const explain = (body: unknown, headers: Record<string, string> = {}) =>
  server.post("/v1/graphql/explain", body, headers);

describe("The explain endpoint", () => {
  it("Explain shows each root field of a query separately", async () => {
    const query = "query { a: book { id } __typename book(limit: 2) { title } }";
    const { status, json } = await explain({ query: { query } });
    expect(status).toBe(200);
    expect(json.map(({ field }: { field: string }) => field)).toEqual(["a", "__typename", "book"]);
    expect(json[1]).toEqual({ field: "__typename", sql: null, plan: null });
    for (const at of [0, 2]) {
      expect(json[at].sql).toMatch(/^select .*"public"\."book"/s);
      expect(json[at].plan.join("\n")).toContain("Seq Scan on book");
    }
  });

  it("Explain shows runnable statements for a role with its session variables", async () => {
    const query = {
      query: "query ($t: String) { book(where: {title: {_eq: $t}}) { id } }",
      variables: { t: "it's $1" },
    };
    const { json } = await explain({ query, user: { "X-Engine-Role": "user", "x-engine-user-id": "ü" } });
    expect(json[0].sql).toContain("'ü'");
    expect(json[0].sql).toContain("'it''s $1'");
    const run = await server.post("/v2/query", { type: "run_sql", args: { sql: json[0].sql } });
    expect(run.json.result[1]).toEqual(["[]"]);
  });

  it("Explain shows the statement of a subscription and the values that distinguish subscribers", async () => {
    const query = "subscription ($id: Int!) { book(where: {id: {_eq: $id}}) { title } }";
    const user = { "x-engine-role": "user", "x-engine-user-id": "7", "x-engine-other": "unused" };
    const { status, json } = await explain({ query: { query, variables: { id: 1 } }, user });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      sql: expect.stringContaining('"book"'),
      plan: expect.arrayContaining([expect.any(String)]),
      variables: { session: { "x-engine-user-id": "7" }, query: { id: "1" } },
    });
    expect(json.variables.session).not.toHaveProperty("x-engine-other");
  });

  it("Explain does not run the query", async () => {
    const function_ = `create function noted() returns setof book language plpgsql volatile as $$
      begin insert into book values (1, 'noted', null); return; end $$;`;
    await server.post("/v2/query", { type: "run_sql", args: { sql: function_ } });
    await server.metadata("pg_track_function", { function: "noted", configuration: { exposed_as: "query" } });
    expect((await explain({ query: "{ noted { id } }" })).status).toBe(200);
    expect(await server.graphql("{ book { id } }")).toEqual({ data: { book: [] } });
  });

  it.each([
    [{ query: "mutation { insert_book_one(object: {id: 1}) { id } }" }, "$", "invalid-params"],
    [{ query: "{ none { id } }" }, "$.selectionSet.none", "validation-failed"],
    [
      { query: "{ book { owner } }", user: { "x-engine-role": "user" } },
      "$.selectionSet.book.selectionSet.owner",
      "validation-failed",
    ],
    [{ query: "{ book { id } }", user: { "x-engine-role": "user" } }, "$", "not-found"],
    [{}, "$", "parse-failed"],
    [{ query: { variables: {} } }, "$.query", "parse-failed"],
    [{ query: "{ book { id } }", user: { "x-engine-role": 1 } }, "$.user.x-engine-role", "parse-failed"],
  ])("Explain refuses %j", async (body, path, code) => {
    expect(await explain(body)).toMatchObject({ status: 400, json: { path, code } });
  });

  it("Explain is restricted to admins", async () => {
    expect(await explain({ query: "{ book { id } }" }, { "x-engine-role": "user" })).toMatchObject({
      status: 400,
      json: { code: "access-denied", error: "You have to be an admin to access this endpoint" },
    });
  });
});

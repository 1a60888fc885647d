import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const fixture = join(import.meta.dirname, "../../fixtures/library");
const ines = { "x-engine-role": "member", "x-engine-user-id": "00000000-0000-4000-8000-000000000001" };
const librarian = { "x-engine-role": "librarian" };
const visitor = { "x-engine-role": "visitor" };

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  for (const file of ["schema.sql", "seed.sql"]) {
    const sql = await readFile(join(fixture, "postgres", file), "utf8");
    const { status, text } = await server.post("/v2/query", { type: "run_sql", args: { sql } });
    expect([status, text]).toEqual([200, expect.any(String)]);
  }
  const { metadata } = await readMetadataDirectory(join(fixture, "metadata"));
  await server.metadata("replace_metadata", { metadata });
});

afterAll(() => server.close());

describe("One schema for several roles", () => {
  it("Each role receives the rows that it may select", async () => {
    const query = "{ book(order_by: {id: asc}) { id } }";
    const ids = (list: number[]) => ({ data: { book: list.map((id) => ({ id })) } });
    expect(await server.graphql(query)).toEqual(ids([1, 2, 3, 4, 5]));
    expect(await server.graphql(query, librarian)).toEqual(ids([1, 2, 3, 4, 5]));
    expect(await server.graphql(query, visitor)).toEqual(ids([1, 2, 3, 4, 5]));
    expect(await server.graphql("{ loan(order_by: {id: asc}) { id due_on copy { book { title } } } }", ines)).toEqual({
      data: {
        loan: [
          { id: 1, due_on: "2024-01-30", copy: { book: { title: "Frankenstein" } } },
          { id: 2, due_on: "2024-02-29", copy: { book: { title: "Around the World in Eighty Days" } } },
        ],
      },
    });
  });

  it("Forbidden columns and tables are unknown to a role at any position", async () => {
    const notFound = (path: string, field: string, type: string) => ({
      errors: [
        {
          message: `field '${field}' not found in type: '${type}'`,
          extensions: { path, code: "validation-failed" },
        },
      ],
    });
    expect(await server.graphql("{ member { fines_due } }", ines)).toEqual(
      notFound("$.selectionSet.member.selectionSet.fines_due", "fines_due", "member"),
    );
    expect(await server.graphql("{ member(where: {fines_due: {_gt: 0}}) { id } }", ines)).toEqual(
      notFound("$.selectionSet.member.args.where.fines_due", "fines_due", "member_bool_exp"),
    );
    expect(await server.graphql("{ member(order_by: {fines_due: asc}) { id } }", ines)).toEqual(
      notFound("$.selectionSet.member.args.order_by[0].fines_due", "fines_due", "member_order_by"),
    );
    expect(await server.graphql("{ member { id } }", visitor)).toEqual(
      notFound("$.selectionSet.member", "member", "query_root"),
    );
    expect(await server.graphql("{ book_aggregate { aggregate { count } } }", visitor)).toEqual(
      notFound("$.selectionSet.book_aggregate", "book_aggregate", "query_root"),
    );
  });

  it("Introspection shows a role its own schema", async () => {
    const query = `{ __type(name: "review") { fields { name } } __schema { queryType { name } types { name } } }`;
    const answer = (await server.graphql(query, visitor)) as {
      data: { __type: { fields: { name: string }[] }; __schema: { types: { name: string }[] } };
    };
    expect(answer.data.__type.fields.map((field) => field.name)).toEqual(["book", "comment", "stars"]);
    const names = answer.data.__schema.types.map((type) => type.name);
    expect(names).not.toContain("member");
    expect(names).toEqual([...names].sort());
  });

  it("An unknown role has a schema without queries", async () => {
    const message =
      "There are no queries available to the current role. Either there are no sources or remote schemas configured, or the current role doesn't have the required permissions.";
    expect(await server.graphql("{ no_queries_available }", { "x-engine-role": "nobody" })).toEqual({
      data: { no_queries_available: message },
    });
  });

  it("A request without a required session variable fails", async () => {
    expect(await server.graphql("{ loan { id } }", { "x-engine-role": "member" })).toEqual({
      errors: [
        {
          message: 'missing session variable: "x-engine-user-id"',
          extensions: { path: "$", code: "not-found" },
        },
      ],
    });
  });

  it("A session value that the database cannot parse is reported", async () => {
    const answer = await server.graphql("{ loan { id } }", { ...ines, "x-engine-user-id": "' or true --" });
    expect(answer).toMatchObject({
      errors: [
        {
          message: `invalid input syntax for type uuid: "' or true --"`,
          extensions: { path: "$", code: "data-exception" },
        },
      ],
    });
  });

  it("A permission's limit applies at every level but not to aggregates", async () => {
    await server.metadata("bulk", [
      { type: "pg_drop_select_permission", args: { table: "book", role: "visitor" } },
      {
        type: "pg_create_select_permission",
        args: {
          table: "book",
          role: "visitor",
          permission: { columns: ["id"], filter: {}, limit: 2, allow_aggregations: true },
        },
      },
    ]);
    const query = "{ book(limit: 4) { id } book_aggregate { aggregate { count } nodes { id } } }";
    const answer = (await server.graphql(query, visitor)) as {
      data: { book: unknown[]; book_aggregate: { aggregate: unknown; nodes: unknown[] } };
    };
    expect(answer.data.book).toHaveLength(2);
    expect(answer.data.book_aggregate).toEqual({
      aggregate: { count: 5 },
      nodes: expect.objectContaining({ length: 2 }),
    });
  });
});

describe("Features of queries", () => {
  it("Variables, aliases, fragments and directives work together", async () => {
    const query = `query Books($min: Int!, $with: Boolean!, $where: book_bool_exp) {
      old: book(where: {_and: [{pages: {_gte: $min}}, {published: {_is_null: false}}]}, order_by: {pages: desc}, limit: 1) { ...parts }
      one: book_by_pk(id: 3) { ...parts author @include(if: $with) { name } }
      none: book_by_pk(id: 99) { id }
      book(where: $where) { title }
    }
    fragment parts on book { __typename title }`;
    const variables = { min: 300, with: true, where: { isbn: { _eq: "9780000000019" } } };
    expect(await server.graphql(query, {}, variables)).toEqual({
      data: {
        old: [{ __typename: "book", title: "Twenty Thousand Leagues Under the Seas" }],
        one: { __typename: "book", title: "Around the World in Eighty Days", author: { name: "Jules Verne" } },
        none: null,
        book: [{ title: "Frankenstein" }],
      },
    });
  });

  it("Large numbers keep their digits in both directions", async () => {
    const body = `{"query": "query ($id: bigint!) { loan(where: {id: {_lt: $id}}, order_by: {id: asc}, limit: 1) { id } }", "variables": {"id": 9223372036854775807}}`;
    const { text } = await server.post("/v1/graphql", body);
    expect(text).toBe('{"data":{"loan":[{"id":1}]}}');
  });

  it("Queries order by related rows and aggregates and select distinct rows", async () => {
    const query = `{
      book(order_by: [{author: {name: desc}}, {id: desc}]) { id }
      author(order_by: {books_aggregate: {count: desc}}, limit: 2) { books_aggregate { aggregate { count sum { pages } } } }
      copy(distinct_on: branch_id, order_by: [{branch_id: asc}, {id: desc}]) { id branch_id }
    }`;
    expect(await server.graphql(query)).toEqual({
      data: {
        book: [{ id: 2 }, { id: 1 }, { id: 4 }, { id: 3 }, { id: 5 }],
        author: [750, 830].map((pages) => ({ books_aggregate: { aggregate: { count: 2, sum: { pages } } } })),
        copy: [
          { id: 4, branch_id: 1 },
          { id: 6, branch_id: 2 },
        ],
      },
    });
  });

  it("Hostile text is treated as a value", async () => {
    const hostile = `x' or '1'='1"; drop table book; --\u2028${"é".repeat(50)}`;
    const query = "query ($t: String) { book(where: {title: {_eq: $t}}) { id } }";
    expect(await server.graphql(query, {}, { t: hostile })).toEqual({ data: { book: [] } });
  });
});

describe("Changes of served metadata", () => {
  it("A change is live when it is acknowledged, and a refused change has no effect", async () => {
    const before = await server.metadata("export_metadata", {});
    const permission = { columns: ["id", "titel"], filter: {} };
    const { status, json } = await server.post("/v1/metadata", {
      type: "pg_create_select_permission",
      args: { table: "book", role: "guest", permission },
    });
    expect([status, json.code, json.path]).toEqual([400, "invalid-configuration", "$.args"]);
    expect(json.error).toBe(
      'Inconsistent object: in table "book": in permission for role "guest": "titel" does not exist',
    );
    expect(await server.metadata("export_metadata", {})).toEqual(before);
    await server.metadata("pg_create_select_permission", {
      table: "book",
      role: "guest",
      permission: { columns: ["id"], filter: { id: { _in: [1, 2] } } },
    });
    expect(await server.graphql("{ book(order_by: {id: asc}) { id } }", { "x-engine-role": "guest" })).toEqual({
      data: { book: [{ id: 1 }, { id: 2 }] },
    });
    await server.metadata("pg_drop_select_permission", { table: "book", role: "guest" });
    expect(await server.graphql("{ book { id } }", { "x-engine-role": "guest" })).toHaveProperty("errors");
  });

  it("Changes survive a restart", async () => {
    const before = await server.post("/v1/metadata", { type: "export_metadata", version: 2, args: {} });
    await server.stop();
    const restarted = await startTestServer({ on: server });
    try {
      expect((await restarted.post("/v1/metadata", { type: "export_metadata", version: 2, args: {} })).text).toBe(
        before.text,
      );
      expect(await restarted.graphql("{ branch(order_by: {id: asc}) { name } }", librarian)).toEqual({
        data: { branch: [{ name: "Market Square" }, { name: "Riverside" }] },
      });
    } finally {
      await restarted.stop();
      server = { ...(await startTestServer({ on: server })), close: server.close };
    }
  });
});

/** Operations of query collections on a real server: precompiled, and rechecked when the metadata changes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

const queries = {
  books: "query Books($limit: Int = 2) { book(order_by: [{id: asc}], limit: $limit) { id title } }",
  book: "query ($id: Int!, $full: Boolean!) { book_by_pk(id: $id) { title owner @include(if: $full) } }",
  search: "query ($where: book_bool_exp!) { book(where: $where) { id } }",
  rename:
    "mutation ($id: Int!, $title: String!) { update_book_by_pk(pk_columns: {id: $id}, _set: {title: $title}) { id title } }",
  add: 'mutation ($id: Int!, $title: String) { insert_book(objects: [{id: $id, title: $title, chapters: {data: [{id: $id, text: "first"}]}}]) { affected_rows returning { title chapters { text } } } }',
};

const readable = { columns: ["id", "title", "owner"], filter: { owner: { _eq: "X-Engine-User-Id" } } };

beforeAll(async () => {
  server = await startTestServer();
  const sql = `create table book (id int primary key, title text not null, owner text not null default 'ann');
    create table chapter (id int primary key, book_id int references book, text text);
    insert into book values (1, 'Solaris', 'ann'), (2, 'Momo', 'bob'), (3, 'Emil', 'ann');`;
  await server.post("/v2/query", { type: "run_sql", args: { sql } });
  await server.metadata("pg_track_table", { table: "book" });
  await server.metadata("pg_track_table", { table: "chapter" });
  const using = { foreign_key_constraint_on: { table: "chapter", column: "book_id" } };
  await server.metadata("pg_create_array_relationship", { table: "book", name: "chapters", using });
  await server.metadata("pg_create_select_permission", { table: "book", role: "user", permission: readable });
  const definition = { queries: Object.entries(queries).map(([name, query]) => ({ name, query })) };
  await server.metadata("create_query_collection", { name: "desk", definition });
});

afterAll(() => server.close());

const user = (id: string) => ({ "x-engine-role": "user", "x-engine-user-id": id });

describe("Saved operations in requests", () => {
  it("A saved operation returns the same result as an equal text planned at request time", async () => {
    const cases: readonly [string, unknown, Record<string, string>?][] = [
      [queries.books, {}],
      [queries.books, { limit: 1 }],
      [queries.books, { limit: null }],
      [queries.books, undefined, user("bob")],
      [queries.book, { id: 1, full: true }],
      [queries.book, { id: 1, full: false }, user("ann")],
      [queries.book, { id: 1, full: true }, user("bob")],
      [queries.search, { where: { id: { _in: [1, 3] } } }, user("ann")],
      [queries.rename, { id: 3, title: "Emil" }],
      // Errors must be equal.
      [queries.books, { limit: -1 }],
      [queries.books, { limits: 1 }],
      [queries.book, { id: 1 }],
      [queries.book, { id: null, full: true }],
      [queries.book, { id: "x", full: true }],
      [queries.rename, { id: 3, title: "Emil" }, user("ann")],
    ];
    for (const [query, variables, headers] of cases) {
      const ahead = await server.graphql(query, headers, variables);
      expect(ahead, `${query} ${JSON.stringify(variables)}`).toEqual(
        await server.graphql(`${query} `, headers, variables),
      );
    }
  });

  it("A saved operation writes nested rows", async () => {
    expect(await server.graphql(queries.add, {}, { id: 7, title: "Krabat" })).toEqual({
      data: { insert_book: { affected_rows: 2, returning: [{ title: "Krabat", chapters: [{ text: "first" }] }] } },
    });
    await server.post("/v2/query", {
      type: "run_sql",
      args: { sql: "delete from chapter; delete from book where id = 7" },
    });
  });
});

describe("The get_saved_operation_roles operation", () => {
  const rolesOf = (query_name: string) =>
    server.metadata("get_saved_operation_roles", { collection_name: "desk", query_name });

  it("get_saved_operation_roles returns all of many roles that can run a saved operation", async () => {
    const names = Array.from({ length: 60 }, (_, index) => `role_${String(index).padStart(3, "0")}`);
    const columns = (index: number) => (index % 2 === 0 ? ["id", "title"] : ["id", "title", "owner"]);
    const permissions = names.map((role, index) => ({
      type: "pg_create_select_permission",
      args: { table: "book", role, permission: { columns: columns(index), filter: {} } },
    }));
    await server.metadata("bulk_atomic", permissions);
    const check = { columns: ["title"], filter: {}, check: {}, backend_only: true };
    await server.metadata("pg_create_update_permission", { table: "book", role: "role_001", permission: check });
    const odd = names.filter((_, index) => index % 2 === 1);
    expect(await rolesOf("books")).toMatchObject({ roles: ["admin", ...names, "user"], backend_roles: [] });
    expect(await rolesOf("book")).toMatchObject({ roles: ["admin", ...odd, "user"], backend_roles: [] });
    expect(await rolesOf("rename")).toMatchObject({ roles: ["admin"], backend_roles: ["role_001"] });
    await server.metadata("pg_drop_update_permission", { table: "book", role: "role_001" });
    const drops = names.map((role) => ({ type: "pg_drop_select_permission", args: { table: "book", role } }));
    await server.metadata("bulk_atomic", drops);
  });

  it("get_saved_operation_roles refuses an unknown operation or collection", async () => {
    const refusal = async (collection_name: string, query_name: string) => {
      const args = { collection_name, query_name };
      const { status, json } = await server.post("/v1/metadata", { type: "get_saved_operation_roles", args });
      return [status, json.code, json.path];
    };
    expect(await refusal("desk", "bok")).toEqual([400, "not-exists", "$.args.query_name"]);
    expect(await refusal("dsk", "book")).toEqual([400, "not-exists", "$.args.collection_name"]);
  });
});

describe("Metadata changes with saved operations", () => {
  it("A change that breaks a saved operation is refused", async () => {
    const answer = await server.post("/v1/metadata", {
      type: "pg_untrack_table",
      args: { table: "book", cascade: true },
    });
    expect(answer.status).toBe(500);
    expect(answer.json.error).toBe("cannot continue due to newly found inconsistent metadata");
    expect(answer.json.internal).toContainEqual(
      expect.objectContaining({
        type: "query_collections",
        name: "query_collections books in desk",
        reason: expect.stringContaining("\"$.book: field 'book' not found in object 'query_root'\""),
      }),
    );
  });

  it("A saved query that does not fit the schema is refused", async () => {
    const args = { collection_name: "desk", query_name: "bad", query: "query { book { id none } }" };
    const answer = await server.post("/v1/metadata", { type: "add_query_to_collection", args });
    expect(answer.status).toBe(500);
    expect(answer.json.internal[0].reason).toContain("field 'none' not found in object 'book'");
  });

  it("A change that makes saved operations unavailable to a role lists them in its response and in the log", async () => {
    const book = { query: queries.book, variables: { id: 1, full: true } };
    expect((await server.post("/v1/graphql", book, user("ann"))).json.data.book_by_pk.owner).toBe("ann");
    await server.metadata("pg_drop_select_permission", { table: "book", role: "user" });
    const permission = { ...readable, columns: ["id", "title"] };
    await server.metadata("pg_create_select_permission", { table: "book", role: "user", permission: readable });
    await server.graphql(queries.book, user("ann"), book.variables);
    await server.graphql(queries.books, user("ann"));
    const answer = (await server.metadata("bulk", [
      { type: "pg_drop_select_permission", args: { table: "book", role: "user" } },
      { type: "pg_create_select_permission", args: { table: "book", role: "user", permission } },
    ])) as unknown[];
    expect(answer).toHaveLength(2);
    const logged = server.log.map((line) => JSON.parse(line)).filter(({ detail }) => detail.info?.operations);
    expect(logged.at(-1).detail.info.operations).toEqual([
      {
        collection: "desk",
        name: "book",
        role: "user",
        errors: ["$.book_by_pk.owner: field 'owner' not found in object 'book'"],
      },
    ]);
    await server.graphql(queries.books, user("ann"));
    const dropped = (await server.metadata("pg_drop_select_permission", { table: "book", role: "user" })) as {
      warnings: { message: string; code: string }[];
    };
    expect(dropped.warnings).toContainEqual(
      expect.objectContaining({ code: "saved-operation-broken", name: "query_collections books in desk" }),
    );
    await server.metadata("pg_create_select_permission", { table: "book", role: "user", permission: readable });
    expect(await server.graphql(queries.books, user("bob"))).toEqual({ data: { book: [{ id: 2, title: "Momo" }] } });
  });
});

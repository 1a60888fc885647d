/** Rows written and read by JSON operations and by GraphQL mutations, over HTTP, on a real database. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { query } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const fixture = join(import.meta.dirname, "../../fixtures/library");
const ines = { "x-engine-role": "member", "x-engine-user-id": "00000000-0000-4000-8000-000000000001" };
const librarian = { "x-engine-role": "librarian" };

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  for (const file of ["schema.sql", "seed.sql"]) {
    await query(server.databaseUrl, await readFile(join(fixture, "postgres", file), "utf8"));
  }
  const { metadata } = await readMetadataDirectory(join(fixture, "metadata"));
  await server.metadata("replace_metadata", { metadata });
});

afterAll(() => server.close());

const ask = async (type: string, args: unknown, headers?: Record<string, string>) => {
  const { status, json } = await server.post("/v1/query", { type, args }, headers);
  return [status, json];
};

describe("JSON data operations", () => {
  it("Data operations pass the session variables to row and statement triggers", async () => {
    await query(
      server.databaseUrl,
      `create table heard (level text, variables json);
      create function hear() returns trigger language plpgsql as $$
        begin insert into heard values (tg_level, current_setting('engine.user')::json); return null; end $$;
      create trigger hear_row after insert or update or delete on author for each row execute function hear();
      create trigger hear_statement after insert or update or delete on author
        for each statement execute function hear()`,
    );
    try {
      const where = { name: { $eq: "Lem" } };
      await ask("insert", { table: "author", objects: [{ name: "Lem" }, { name: "Lem" }] });
      await ask("update", { table: "author", where, $set: { born: "1921-09-12" } });
      await ask("delete", { table: "author", where });
      const heard = await query(
        server.databaseUrl,
        "select level, variables ->> 'x-engine-role' as role, count(*)::int from heard group by 1, 2 order by 1, 2",
      );
      expect(heard).toEqual([
        { level: "ROW", role: "admin", count: 6 },
        { level: "STATEMENT", role: "admin", count: 3 },
      ]);
    } finally {
      await query(server.databaseUrl, "drop function hear cascade; drop table heard");
    }
  });

  it("Several rows are updated in one transaction, in which each condition matches one row", async () => {
    const objects = [{ name: "Lem" }, { name: "Kavan" }, { name: "Twin" }, { name: "Twin" }];
    await ask("insert", { table: "author", objects });
    const set = (name: string, born: unknown) => ({ where: { name: { $eq: name } }, $set: { born } });
    const update = (updates: readonly unknown[], headers?: Record<string, string>) =>
      ask("update_rows", { table: "author", updates, returning: ["name", "born"] }, headers);
    const borns = async () => {
      const rows = await ask("select", { table: "author", columns: ["born"], where: { born: { $is_null: false } } });
      return rows[1];
    };
    try {
      await query(server.databaseUrl, "update author set born = null");
      expect(await update([set("Lem", "1921-09-12"), set("Kavan", "1901-04-10")])).toEqual([
        200,
        {
          affected_rows: 2,
          returning: [
            { name: "Lem", born: "1921-09-12" },
            { name: "Kavan", born: "1901-04-10" },
          ],
        },
      ]);
      const before = await borns();
      for (const refused of [set("Nobody", "2000-01-01"), set("Twin", "2000-01-01"), set("Kavan", "no date")]) {
        const [status, body] = await update([set("Lem", "1999-09-09"), refused]);
        expect([status, body]).toMatchObject([400, { path: expect.stringContaining("$.args.updates[1]") }]);
        expect(await borns()).toEqual(before);
      }
      // One update alone is not committed either.
      expect((await update([set("Twin", "2000-01-01")]))[0]).toBe(400);
      expect(await borns()).toEqual(before);
      expect(await update([set("Lem", "1999-09-09")], ines)).toMatchObject([400, { code: "permission-denied" }]);
      expect(await update([])).toMatchObject([400, { error: expect.stringContaining("from 1 to 1000 updates") }]);
    } finally {
      await query(server.databaseUrl, "delete from author where name in ('Lem', 'Kavan', 'Twin')");
    }
  });

  it("Data operations insert, update, count, select and delete rows", async () => {
    const objects = [{ name: "Stanisław Lem" }, { name: "Anna Kavan", born: "1901-04-10" }];
    expect(await ask("insert", { table: "author", objects, returning: ["name", "born"] })).toEqual([
      200,
      {
        affected_rows: 2,
        returning: [
          { name: "Stanisław Lem", born: null },
          { name: "Anna Kavan", born: "1901-04-10" },
        ],
      },
    ]);
    const lem = { name: { $eq: "Stanisław Lem" } };
    expect(await ask("update", { table: "author", where: lem, $set: { born: "1921-09-12" } })).toEqual([
      200,
      { affected_rows: 1 },
    ]);
    expect(await ask("count", { table: "author", where: { born: { $gt: "1900-01-01" } } })).toEqual([
      200,
      { count: 2 },
    ]);
    expect(await ask("select", { table: "author", columns: ["name", "born"], where: lem })).toEqual([
      200,
      [{ name: "Stanisław Lem", born: "1921-09-12" }],
    ]);
    expect(await ask("delete", { table: "author", where: { born: { $gt: "1900-01-01" } } })).toEqual([
      200,
      { affected_rows: 2 },
    ]);
  });

  it("Data operations apply the permissions of a role", async () => {
    expect(await ask("select", { table: "loan", columns: ["id"], order_by: "+id" }, ines)).toEqual([
      200,
      [{ id: 1 }, { id: 2 }],
    ]);
    const [status, { code, path }] = await ask("select", { table: "member", columns: ["fines_due"] }, ines);
    expect([status, code, path]).toEqual([400, "permission-denied", "$.args.columns[0]"]);
    expect((await ask("delete", { table: "loan", where: {} }, ines))[1].code).toBe("permission-denied");
    expect(await ask("select", { table: "loan", columns: ["id"] }, { "x-engine-role": "member" })).toEqual([
      400,
      { path: "$.args", error: '"x-engine-user-id" header is expected but not found', code: "not-found" },
    ]);
  });
});

describe("Mutations", () => {
  const lend = `mutation ($copy: Int!, $member: uuid!) {
    insert_loan_one(object: {copy_id: $copy, member_id: $member, due_on: "2030-01-01"}) { copy_id member { name } copy { book { title } } }
  }`;
  const variables = { copy: 6, member: "00000000-0000-4000-8000-000000000002" };

  it("A mutation inserts rows that pass the check and returns related rows", async () => {
    expect(await server.graphql(lend, librarian, variables)).toEqual({
      data: {
        insert_loan_one: {
          copy_id: 6,
          member: { name: "Tomás" },
          copy: { book: { title: "Notes on the Analytical Engine" } },
        },
      },
    });
  });

  it("A mutation that fails the check writes no rows", async () => {
    const rows = () => query(server.databaseUrl, "select count(*) from loan");
    const before = await rows();
    expect(await server.graphql(lend, librarian, variables)).toMatchObject({
      errors: [
        {
          message: "check constraint of an insert/update permission has failed",
          extensions: { code: "permission-error", path: "$.selectionSet.insert_loan_one.args.object" },
        },
      ],
    });
    expect(await rows()).toEqual(before);
  });

  it("A mutation changes only the permitted rows and columns", async () => {
    const extend =
      'mutation { update_loan(where: {}, _set: {due_on: "2031-05-05"}) { affected_rows returning { id due_on } } }';
    expect(await server.graphql(extend, ines)).toEqual({
      data: { update_loan: { affected_rows: 1, returning: [{ id: 2, due_on: "2031-05-05" }] } },
    });
    expect(
      await server.graphql("mutation { update_loan(where: {}, _set: {renewals: 0}) { affected_rows } }", ines),
    ).toMatchObject({
      errors: [{ message: "field 'renewals' not found in type: 'loan_set_input'" }],
    });
    expect(await server.graphql("mutation { delete_loan(where: {}) { affected_rows } }", ines)).toMatchObject({
      errors: [{ message: "field 'delete_loan' not found in type: 'mutation_root'" }],
    });
  });

  it("Mutations of one request are rolled back together", async () => {
    const both = `mutation {
      insert_author_one(object: {name: "Nobody"}) { id }
      insert_branch_one(object: {name: "Riverside", address: "again"}) { id }
    }`;
    expect(await server.graphql(both)).toMatchObject({
      errors: [
        { message: expect.stringContaining("Uniqueness violation."), extensions: { code: "constraint-violation" } },
      ],
    });
    expect(await query(server.databaseUrl, "select 1 from author where name = 'Nobody'")).toEqual([]);
  });

  it("A mutation inserts ten thousand rows in order", async () => {
    const objects = Array.from({ length: 10_000 }, (_, i) => ({ name: `Author ${i}` }));
    const insert =
      "mutation ($objects: [author_insert_input!]!) { insert_author(objects: $objects) { affected_rows } }";
    expect(await server.graphql(insert, {}, { objects })).toEqual({
      data: { insert_author: { affected_rows: 10_000 } },
    });
    const stored = await query(server.databaseUrl, "select name from author where name like 'Author %' order by id");
    expect(stored.map(({ name }) => name)).toEqual(objects.map(({ name }) => name));
  });
});

/** Rows with different numbers of nested rows: the number of statements, and the effect of omitted nested rows. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  // A trigger for each statement counts statements.
  await query(
    server.databaseUrl,
    `create table author (id serial primary key, name text not null);
     create table book (id serial primary key, author_id int not null references author, title text not null);
     create table writer (id serial primary key, name text not null);
     create table poem (id serial primary key, writer_id int not null references writer, title text not null);
     create table statement (id serial primary key, target text not null);
     create function count_statement() returns trigger language plpgsql as
       $$ begin insert into statement (target) values (tg_table_name); return null; end $$;
     create trigger count_statement after insert on author for each statement execute function count_statement();
     create trigger count_statement after insert on book for each statement execute function count_statement();
     create trigger count_statement after insert on writer for each statement execute function count_statement();
     create function leave_out() returns trigger language plpgsql as
       $$ begin if new.name like 'left out%' then return null; end if; return new; end $$;
     create trigger leave_out before insert on writer for each row execute function leave_out();`,
  );
  for (const table of ["author", "book", "writer", "poem"]) await server.metadata("pg_track_table", { table });
  const arrays = [
    { table: "author", name: "books", using: { foreign_key_constraint_on: { table: "book", column: "author_id" } } },
    { table: "writer", name: "poems", using: { foreign_key_constraint_on: { table: "poem", column: "writer_id" } } },
  ];
  for (const args of arrays) await server.metadata("pg_create_array_relationship", args);
});

afterAll(() => server.close());

beforeEach(() => query(server.databaseUrl, "truncate author, book, writer, poem, statement restart identity"));

const counts = async (): Promise<unknown> =>
  query(server.databaseUrl, "select target, count(*)::int as n from statement group by 1 order by 1");

const insertAuthors =
  "mutation ($objects: [author_insert_input!]!) { insert_author(objects: $objects) { affected_rows } }";
const insertWriters =
  "mutation ($objects: [writer_insert_input!]!) { insert_writer(objects: $objects) { affected_rows } }";

describe("Nested inserts in requests", () => {
  it("A nested insert runs one statement for each table, regardless of the numbers of nested rows", async () => {
    const objects = Array.from({ length: 50 }, (_, i) => ({
      name: `author ${i}`,
      books: { data: Array.from({ length: i % 4 }, (_, n) => ({ title: `${n} of ${i}` })) },
    }));
    const books = objects.flatMap((author) => author.books.data.map(({ title }) => [author.name, title]));
    expect(await server.graphql(insertAuthors, {}, { objects })).toEqual({
      data: { insert_author: { affected_rows: objects.length + books.length } },
    });
    expect(await counts()).toEqual([
      { target: "author", n: 1 },
      { target: "book", n: 1 },
    ]);
    const authors = await query(server.databaseUrl, "select name from author order by id");
    expect(authors.map(({ name }) => name)).toEqual(objects.map(({ name }) => name));
    const written = await query(
      server.databaseUrl,
      "select name, title from author join book on author_id = author.id order by book.id",
    );
    expect(written.map(({ name, title }) => [name, title])).toEqual(books);
  });

  it("Nested rows belong to their own parents, regardless of parents without nested rows", async () => {
    const nested = (name: string) => ({ name, books: { data: [{ title: `of ${name}` }] } });
    for (const between of [1, 3, 0, 2]) {
      const plain = Array.from({ length: between }, (_, i) => ({ name: `plain ${i}` }));
      const objects = [
        nested("a"),
        ...plain,
        nested("b"),
        { name: "empty", books: { data: [] } },
        nested("c"),
        ...plain,
      ];
      await query(server.databaseUrl, "truncate author, book, statement restart identity");
      expect(await server.graphql(insertAuthors, {}, { objects })).toEqual({
        data: { insert_author: { affected_rows: objects.length + 3 } },
      });
      const written = await query(
        server.databaseUrl,
        "select name, title from author left join book on author_id = author.id order by author.id",
      );
      expect(written.map(({ name, title }) => [name, title])).toEqual(
        objects.map(({ name }) => [name, "abc".includes(name) ? `of ${name}` : null]),
      );
      // The plan does not depend on the number of trailing rows.
      expect(await counts()).toEqual([
        { target: "author", n: between === 0 ? 1 : 2 },
        { target: "book", n: 1 },
      ]);
    }
  });

  it("A row suppressed by a trigger is skipped, unless it has nested rows", async () => {
    const row = (name: string, ...titles: readonly string[]) => ({
      name,
      poems: { data: titles.map((title) => ({ title })) },
    });
    const written = [row("a", "1", "2"), row("left out"), row("b"), row("c", "3")];
    expect(await server.graphql(insertWriters, {}, { objects: written })).toEqual({
      data: { insert_writer: { affected_rows: 6 } },
    });
    const poems = "select name, title from writer join poem on writer_id = writer.id order by poem.id";
    expect((await query(server.databaseUrl, poems)).map(({ name, title }) => [name, title])).toEqual([
      ["a", "1"],
      ["a", "2"],
      ["c", "3"],
    ]);
    const refused = await server.graphql(insertWriters, {}, { objects: [row("d"), row("left out, too", "4")] });
    expect(refused).toMatchObject({
      errors: [
        {
          message: 'cannot proceed to insert array relations since insert to table "writer" affects zero rows',
        },
      ],
    });
    expect(await query(server.databaseUrl, "select 1 from writer where name = 'd'")).toEqual([]);
  });

  it("A nested insert uses one statement again after such a trigger is dropped", async () => {
    const objects = [
      { name: "a", poems: { data: [{ title: "1" }] } },
      { name: "b", poems: { data: [] } },
      { name: "c", poems: { data: [] } },
    ];
    await server.graphql(insertWriters, {}, { objects });
    expect(await counts()).toEqual([{ target: "writer", n: 2 }]);
    const run = (sql: string) =>
      server.post("/v2/query", { type: "run_sql", args: { sql, check_metadata_consistency: true } });
    await run("drop trigger leave_out on writer");
    try {
      await query(server.databaseUrl, "truncate statement");
      await server.graphql(insertWriters, {}, { objects });
      expect(await counts()).toEqual([{ target: "writer", n: 1 }]);
    } finally {
      await run("create trigger leave_out before insert on writer for each row execute function leave_out()");
    }
    await query(server.databaseUrl, "truncate statement");
    await server.graphql(insertWriters, {}, { objects });
    expect(await counts()).toEqual([{ target: "writer", n: 2 }]);
  });
});

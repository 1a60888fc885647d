/** A sealed server and a database that is not what it was built for: functions, foreign keys and values of enums. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, engine, refusedArtifact, startArtifact } from "../support/artifact.ts";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { ensureBuilt } from "../support/shared-checks.ts";

const schema = `
  create table genre (value text primary key, comment text);
  insert into genre values ('novel', null), ('poem', null);
  create table book (id integer primary key, genre text references genre, parent integer, name text not null);
  create function books_like(pattern text) returns setof book stable language sql
    as 'select * from book where name like pattern';
  create function book_label(book book) returns text stable language sql as 'select book.name';
  create function unused() returns integer language sql as 'select 1';
  create table part (id integer not null, book integer not null references book) partition by range (id);
  create table part_1 partition of part for values from (0) to (10);
`;
const metadata = `
version: 3
sources:
  - name: default
    kind: postgres
    configuration: { connection_info: { database_url: { from_env: ENGINE_GRAPHQL_DATABASE_URL } } }
    tables:
      - { table: { schema: public, name: genre }, is_enum: true }
      - table: { schema: public, name: book }
        computed_fields: [{ name: label, definition: { function: { schema: public, name: book_label } } }]
      - { table: { schema: public, name: part } }
    functions: [{ function: { schema: public, name: books_like } }]
`;

let folder: string;
let artifact: string;
let database: TestDatabase;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "drift-"));
  artifact = join(folder, "artifact");
  database = await createDatabase("drift");
  await query(database.url, schema);
  await writeFile(join(folder, "metadata.yaml"), metadata);
  const shape = ["--metadata", "metadata.yaml", "--out", "shape.json"];
  expect(await engine(["shape", "--database", database.url, ...shape], folder)).toMatchObject({ code: 0 });
  const built = await engine(
    ["build", "--metadata", "metadata.yaml", "--shape", "shape.json", "--out", artifact],
    folder,
  );
  expect(built).toMatchObject({ code: 0, stderr: "" });
}, 120_000);

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const settings = () => ({ environment: { ENGINE_GRAPHQL_DATABASE_URL: database.url } });

/** What the server logs of the differences while it serves. */
async function logged(): Promise<readonly string[]> {
  const server = await startArtifact(artifact, settings());
  await server.stop();
  return server.log.filter((line) => line.includes('"drift"'));
}

/** The refusal after a change, which is undone. */
async function refusedAfter(change: string, undo: string): Promise<Ended> {
  await query(database.url, change);
  try {
    return await refusedArtifact(artifact, settings());
  } finally {
    await query(database.url, undo);
  }
}

describe("functions, foreign keys and values of enums", () => {
  it("are served without a word as they were", async () => {
    expect(await logged()).toEqual([]);
  });

  it("are served when what was added cannot matter, and when functions that nobody calls change", async () => {
    await query(
      database.url,
      "drop function unused(); create function unused(a integer) returns text language sql as 'select null';" +
        "alter table book add constraint own_parent foreign key (parent) references book",
    );
    expect(await logged()).toEqual([
      expect.stringContaining("foreign key public.book.own_parent was added (parent → public.book (id))"),
    ]);
    await query(database.url, "alter table book drop constraint own_parent");
  });

  it.each([
    [
      "a function that takes something else",
      "drop function books_like(text); create function books_like(pattern text, most integer) returns setof book stable language sql as 'select * from book'",
      "drop function books_like(text, integer); create function books_like(pattern text) returns setof book stable language sql as 'select * from book'",
      "function public.books_like(pg_catalog.text) is missing",
    ],
    [
      "a function that returns something else",
      "drop function book_label(book); create function book_label(book book) returns integer stable language sql as 'select 1'",
      "drop function book_label(book); create function book_label(book book) returns text stable language sql as 'select book.name'",
      "function public.book_label(public.book) is (book public.book), 0 optional, returns pg_catalog.int4, stable, was (book public.book), 0 optional, returns pg_catalog.text, stable",
    ],
    [
      "a second function of the same name",
      "create function books_like(integer) returns setof book stable language sql as 'select * from book'",
      "drop function books_like(integer)",
      "function public.books_like(pg_catalog.int4) was added",
    ],
    [
      "a foreign key that is gone",
      "alter table book drop constraint book_genre_fkey",
      "alter table book add constraint book_genre_fkey foreign key (genre) references genre",
      "foreign key public.book.book_genre_fkey is missing (was: genre → public.genre (value))",
    ],
    [
      "a value that the enum did not have",
      "insert into genre values ('essay')",
      "delete from genre where value = 'essay'",
      "value public.genre.essay was added",
    ],
    [
      "a value that the enum has no more",
      "delete from genre where value = 'poem'",
      "insert into genre values ('poem')",
      "value public.genre.poem is missing",
    ],
  ])("are refused: %s", async (_, change, undo, difference) => {
    const { code, stderr } = await refusedAfter(change, undo);
    expect(code).toBe(1);
    expect(stderr).toContain(difference);
  });
});

/** A sealed server and a database that no longer matches the artifact: functions, foreign keys and enum values. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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
  create unique index book_place on book (name, parent) include (genre);
  create function is_shown(id integer) returns boolean stable language sql as 'select id > 0';
  create view shown as select * from book where is_shown(id);
  create view shown_book as select id, name from shown;
  create function stamp() returns trigger language plpgsql as 'begin return new; end';
  create trigger stamp before insert on book for each row execute procedure stamp();
  create trigger late after insert on book for each row execute procedure stamp();
  create table note (id integer primary key, at timestamptz not null default now(), text text);
  alter table note enable row level security;
  create policy mine on note using (id < 10);
  create table log (id integer primary key, text text default 'a');
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
      - { table: { schema: public, name: shown_book } }
      - { table: { schema: public, name: note } }
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

/** Starts the artifact, and returns its log lines about differences. */
async function logged(): Promise<readonly string[]> {
  const server = await startArtifact(artifact, settings());
  await server.stop();
  return server.log.filter((line) => line.includes('"drift"'));
}

/** Applies a change to the database, returns how the artifact refuses to start, and reverts the change. */
async function refusedAfter(change: string, undo: string): Promise<Ended> {
  await query(database.url, change);
  try {
    return await refusedArtifact(artifact, settings());
  } finally {
    await query(database.url, undo);
  }
}

describe("Drift of functions, foreign keys and enums", () => {
  it("Unchanged functions, foreign keys and enums cause no warning", async () => {
    expect(await logged()).toEqual([]);
  });

  it("Harmless additions and changes of unused functions cause no refusal", async () => {
    await query(
      database.url,
      "drop function unused(); create function unused(a integer) returns text language sql as 'select null';" +
        "alter table book add constraint own_parent foreign key (parent) references book;" +
        "create unique index own_name on book (name); create unique index partial_name on book (name) where id > 0;" +
        "create unique index computed on book (lower(name))",
    );
    expect(await logged()).toEqual([
      expect.stringContaining("foreign key public.book.own_parent was added (parent → public.book (id))"),
      expect.stringContaining("unique index public.book.computed was added (expressions)"),
      expect.stringContaining("unique index public.book.own_name was added (name)"),
      expect.stringContaining("unique index public.book.partial_name was added (name of some rows)"),
    ]);
    await query(
      database.url,
      "alter table book drop constraint own_parent; drop index own_name, partial_name, computed",
    );
  });

  it.each([
    [
      "a function with another argument",
      "drop function books_like(text); create function books_like(pattern text, most integer) returns setof book stable language sql as 'select * from book'",
      "drop function books_like(text, integer); create function books_like(pattern text) returns setof book stable language sql as 'select * from book'",
      "function public.books_like(pg_catalog.text) is missing",
    ],
    [
      "a function with another result",
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
      "a missing foreign key",
      "alter table book drop constraint book_genre_fkey",
      "alter table book add constraint book_genre_fkey foreign key (genre) references genre",
      "foreign key public.book.book_genre_fkey is missing (was: genre → public.genre (value))",
    ],
    [
      "a missing unique index",
      "drop index book_place",
      "create unique index book_place on book (name, parent) include (genre)",
      "unique index public.book.book_place is missing (was: name, parent)",
    ],
    [
      "a new enum value",
      "insert into genre values ('essay')",
      "delete from genre where value = 'essay'",
      "value public.genre.essay was added",
    ],
    [
      "a removed enum value",
      "delete from genre where value = 'poem'",
      "insert into genre values ('poem')",
      "value public.genre.poem is missing",
    ],
  ])("Drift of functions, foreign keys or enums is refused: %s", async (_, change, undo, difference) => {
    const { code, stderr } = await refusedAfter(change, undo);
    expect(code).toBe(1);
    expect(stderr).toContain(difference);
  });
});

const stamp = (body: string) =>
  `create or replace function stamp() returns trigger language plpgsql as 'begin${body} return new; end'`;
const isShown = (body: string) =>
  `create or replace function is_shown(id integer) returns boolean stable language sql as 'select ${body}'`;

describe("Drift of SQL definitions", () => {
  it.each([
    [
      "a view",
      "create or replace view shown_book as select id, name from shown where id > 1",
      "create or replace view shown_book as select id, name from shown",
      /definition of view public\.shown_book is \w+, was \w+: roles may read other rows or values/,
    ],
    [
      "a view that another one uses",
      "create or replace view shown as select * from book where is_shown(id) and id > 1",
      "create or replace view shown as select * from book where is_shown(id)",
      /definition of view public\.shown_book is/,
    ],
    ["a function in a view", isShown("true"), isShown("id > 0"), /definition of view public\.shown_book is/],
    [
      "options of a view",
      "alter view shown_book set (security_barrier = true)",
      "alter view shown_book reset (security_barrier)",
      /options of view public\.shown_book was added \(security_barrier=true\)/,
    ],
    [
      "the body of a function",
      "create or replace function books_like(pattern text) returns setof book stable language sql as 'select * from book'",
      "create or replace function books_like(pattern text) returns setof book stable language sql\n    as 'select * from book where name like pattern'",
      /body of function public\.books_like\(pg_catalog\.text\) is security invoker \w+, was security invoker/,
    ],
    [
      "the rights of a function",
      "alter function book_label(book) security definer",
      "alter function book_label(book) security invoker",
      /body of function public\.book_label\(public\.book\) is security definer/,
    ],
    [
      "disabled row security",
      "alter table note disable row level security",
      "alter table note enable row level security",
      /row security of table public\.note is missing \(was: enabled\)/,
    ],
    [
      "forced row security",
      "alter table note force row level security",
      "alter table note no force row level security",
      /row security of table public\.note is forced, was enabled/,
    ],
    [
      "a policy",
      "alter policy mine on note using (true)",
      "alter policy mine on note using (id < 10)",
      /policy public\.note\.mine is permissive/,
    ],
    [
      "an additional policy",
      "create policy everybody on note using (true)",
      "drop policy everybody on note",
      /policy public\.note\.everybody was added/,
    ],
    [
      "a missing trigger",
      "drop trigger stamp on book",
      "create trigger stamp before insert on book for each row execute procedure stamp()",
      /trigger public\.book\.stamp is missing \(was: before \w+\): writes may store other values/,
    ],
    [
      "a disabled trigger",
      "alter table book disable trigger late",
      "alter table book enable trigger late",
      /trigger public\.book\.late is after disabled/,
    ],
    ["the function of a trigger", stamp(" new.id := 1;"), stamp(""), /trigger public\.book\.stamp is before/],
    [
      "a rule",
      "create rule nothing as on delete to note do instead nothing",
      "drop rule nothing on note",
      /rule public\.note\.nothing was added/,
    ],
  ])("Drift of an SQL definition is refused: %s", async (_, change, undo, difference) => {
    const { code, stderr } = await refusedAfter(change, undo);
    expect(code).toBe(1);
    expect(stderr).toMatch(difference);
  });

  it("Minor drift of SQL definitions causes a warning", async () => {
    await query(
      database.url,
      `alter table note alter column at set default null; alter table log alter column text set default 'b';
       create trigger later after insert on note for each row execute procedure stamp();`,
    );
    expect(await logged()).toEqual([
      expect.stringContaining("default public.log.text is"),
      expect.stringContaining("default public.note.at is"),
      expect.stringContaining("trigger public.note.later was added"),
    ]);
    await query(
      database.url,
      `alter table note alter column at set default now(); alter table log alter column text set default 'a';
       drop trigger later on note`,
    );
    expect(await logged()).toEqual([]);
  });

  it("SQL definitions are equal under any search path and without read access", async () => {
    const name = `drift_${process.pid}`;
    await query(database.url, `create role ${name} login password 'x'; create schema ${name} authorization ${name}`);
    await query(database.url, `alter role ${name} set search_path = "$user", public`);
    const url = new URL(database.url);
    url.username = name;
    url.password = "x";
    try {
      await query(database.url, `grant select on genre to ${name}`);
      const server = await startArtifact(artifact, { environment: { ENGINE_GRAPHQL_DATABASE_URL: url.href } });
      await server.stop();
      expect(server.log.filter((line) => line.includes('"drift"'))).toEqual([]);
    } finally {
      await query(database.url, `drop schema ${name}; revoke select on genre from ${name}; drop role ${name}`);
    }
  });

  it("A shape without definitions causes a warning instead of a comparison", async () => {
    const path = join(folder, "old.json");
    const { definitions, ...old } = JSON.parse(await readFile(join(folder, "shape.json"), "utf8"));
    expect(definitions.facts.length).toBeGreaterThan(10);
    await writeFile(path, JSON.stringify(old));
    const out = join(folder, "old");
    expect(await engine(["build", "--metadata", "metadata.yaml", "--shape", path, "--out", out], folder)).toMatchObject(
      {
        code: 0,
      },
    );
    const server = await startArtifact(out, settings());
    await server.stop();
    expect(server.log.filter((line) => line.includes('"drift"'))).toEqual([
      expect.stringContaining("were not compared: the shape does not contain them; save it again with `engine shape`"),
    ]);
  });
});

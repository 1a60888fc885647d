/** Inserts with `_related`: which existing rows become related rows, under the permissions of each table. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

const columns = {
  press: ["id", "name"],
  author: ["id", "name", "press_id"],
  profile: ["id", "author_id", "bio"],
  book: ["id", "title", "state", "author_id", "editor_id"],
  review: ["id", "book_id", "text"],
} as const;
type Table = keyof typeof columns;

beforeAll(async () => {
  server = await startTestServer();
  await query(
    server.databaseUrl,
    `create table press (id serial primary key, name text not null unique);
     create table author (id serial primary key, name text not null, press_id int references press);
     create table profile (id serial primary key, author_id int unique references author, bio text);
     create table book (id serial primary key, title text not null, state text not null default 'draft',
       author_id int references author, editor_id int references author, unique (author_id, title));
     create table review (id serial primary key, book_id int not null references book, text text);`,
  );
  const object = (table: Table, name: string, on: unknown) => ({
    type: "pg_create_object_relationship",
    args: { table, name, using: { foreign_key_constraint_on: on } },
  });
  const array = (table: Table, name: string, other: Table, column: string) => ({
    type: "pg_create_array_relationship",
    args: { table, name, using: { foreign_key_constraint_on: { table: other, column } } },
  });
  await server.metadata("bulk", [
    ...Object.keys(columns).map((table) => ({ type: "pg_track_table", args: { table } })),
    object("author", "press", "press_id"),
    object("author", "profile", { table: "profile", column: "author_id" }),
    array("author", "books", "book", "author_id"),
    array("author", "edited", "book", "editor_id"),
    object("book", "author", "author_id"),
    object("book", "editor", "editor_id"),
    array("book", "reviews", "review", "book_id"),
    array("press", "authors", "author", "press_id"),
    ...Object.entries(columns)
      .filter(([table]) => table !== "press")
      .map(([table, all]) => permission(table as Table, "select", { columns: all, filter: {} })),
    permission("press", "select", { columns: ["id", "name"], filter: { name: { _nlike: "hidden%" } } }),
    permission("author", "insert", { columns: ["name", "press_id"], check: {} }),
    permission("book", "insert", { columns: ["title", "author_id"], check: { title: { _neq: "forbidden" } } }),
    permission("book", "update", {
      columns: ["title", "editor_id", "author_id"],
      filter: { state: { _neq: "locked" } },
      check: { title: { _neq: "forbidden" } },
      set: { state: "changed" },
    }),
    permission("profile", "update", { columns: ["bio"], filter: {} }),
  ]);
});

const permission = (table: Table, kind: string, given: object) => ({
  type: `pg_create_${kind}_permission`,
  args: { table, role: "writer", permission: given },
});

afterAll(() => server.close());

beforeEach(() =>
  query(
    server.databaseUrl,
    `truncate press, author, profile, book, review restart identity cascade;
     insert into press (name) values ('North'), ('South'), ('hidden press');
     insert into author (name) values ('Ada'), ('Ben');
     insert into profile (bio) values ('quiet'), ('loud');
     insert into book (title, author_id) values ('A1', 1), ('A2', 1), ('B1', 2);`,
  ),
);

const ask = (text: string, session: Record<string, string> = {}, variables?: unknown) =>
  server.graphql(text, session, variables);
const asWriter = (text: string, variables?: unknown) => ask(text, { "x-engine-role": "writer" }, variables);

/** Returns a column of a table, or another value of each row, in order. */
async function rowsOf(table: Table, row: string): Promise<unknown> {
  const rows = await query(server.databaseUrl, `select ${row} as row from ${table} t order by 1`);
  return rows.map((each) => (each as { row: string }).row);
}

const insertAuthor = (related: string, name = "Cleo") =>
  `mutation { insert_author(objects: { name: "${name}", _related: { ${related} } }) {
    affected_rows returning { press { name } profile { bio } books(order_by: { title: asc }) { title } } } }`;
const booksAndAuthors = () => rowsOf("book", "title || coalesce(author_id::text, '-')");

describe("Inserts that connect existing rows", () => {
  it("connect makes existing rows of an array relationship rows of the inserted row, and counts them", async () => {
    const connect = `books: { connect: [{ where: { title: { _eq: "A1" } } }, { where: { title: { _like: "B%" } } }] }`;
    expect(await ask(insertAuthor(connect))).toEqual({
      data: {
        insert_author: {
          affected_rows: 3,
          returning: [{ press: null, profile: null, books: [{ title: "A1" }, { title: "B1" }] }],
        },
      },
    });
    expect(await booksAndAuthors()).toEqual(["A13", "A21", "B13"]);
  });

  it("connect of an object relationship refers to the only row that matches", async () => {
    expect(await ask(insertAuthor(`press: { connect: { where: { name: { _eq: "South" } } } }`))).toEqual({
      data: {
        insert_author: { affected_rows: 1, returning: [{ press: { name: "South" }, profile: null, books: [] }] },
      },
    });
    expect(await rowsOf("author", "name || coalesce(press_id::text, '-')")).toEqual(["Ada-", "Ben-", "Cleo2"]);
  });

  it("connect of an object relationship fails if no row or several rows match, and inserts nothing", async () => {
    const path = "$.selectionSet.insert_author.args.objects[0]._related.press.connect";
    for (const where of [`{ name: { _eq: "West" } }`, `{}`, `{ name: { _like: "%th" } }`]) {
      expect(await ask(insertAuthor(`press: { connect: { where: ${where} } }`))).toMatchObject({
        errors: [
          {
            message:
              'cannot connect object relationship "press": the condition must match exactly one row of table "press"',
            extensions: { path, code: "not-supported" },
          },
        ],
      });
    }
    expect(await rowsOf("author", "name")).toEqual(["Ada", "Ben"]);
  });

  it("connect of an object relationship whose rows reference the inserted row updates exactly one row", async () => {
    expect(await ask(insertAuthor(`profile: { connect: { where: { bio: { _eq: "loud" } } } }`))).toMatchObject({
      data: { insert_author: { affected_rows: 2, returning: [{ profile: { bio: "loud" } }] } },
    });
    const path = "$.selectionSet.insert_author.args.objects[0]._related.profile.connect";
    expect(await ask(insertAuthor(`profile: { connect: { where: { bio: { _eq: "none" } } } }`))).toMatchObject({
      errors: [{ message: expect.stringContaining("must match exactly one row"), extensions: { path } }],
    });
    expect(await ask(insertAuthor(`profile: { connect: { where: {} } }`))).toMatchObject({
      errors: [{ message: expect.stringContaining("profile_author_id_key"), extensions: { path } }],
    });
    expect(await rowsOf("profile", "bio || coalesce(author_id::text, '-')")).toEqual(["loud3", "quiet-"]);
  });

  it("connect_or_create inserts the row of an object relationship only if no row matches", async () => {
    const press = (name: string) =>
      insertAuthor(`press: { connect_or_create: { where: { name: { _eq: "${name}" } }, data: { name: "${name}" } } }`);
    expect(await ask(press("North"))).toMatchObject({
      data: { insert_author: { affected_rows: 1, returning: [{ press: { name: "North" } }] } },
    });
    expect(await ask(press("West"))).toMatchObject({
      data: { insert_author: { affected_rows: 2, returning: [{ press: { name: "West" } }] } },
    });
    expect(await rowsOf("press", "name")).toEqual(["North", "South", "West", "hidden press"]);
  });

  it("connect_or_create of an array relationship inserts a row, with nested rows, only if no row matches", async () => {
    const books = `books: { connect_or_create: [
      { where: { title: { _eq: "A1" } }, data: { title: "A1" } }
      { where: { title: { _eq: "C1" } }, data: { title: "C1", reviews: { data: [{ text: "new" }] } } }
    ] }`;
    expect(await ask(insertAuthor(books))).toMatchObject({
      data: { insert_author: { affected_rows: 4, returning: [{ books: [{ title: "A1" }, { title: "C1" }] }] } },
    });
    expect(await booksAndAuthors()).toEqual(["A13", "A21", "B12", "C13"]);
    expect(await rowsOf("review", "text")).toEqual(["new"]);
  });

  it("A created row may have an on_conflict, which resolves a conflict with a row that the condition does not match", async () => {
    const press = `press: { connect_or_create: { where: { name: { _eq: "none" } }, data: { name: "North" }
      on_conflict: { constraint: press_name_key, return_existing: true } } }`;
    expect(await ask(insertAuthor(press))).toMatchObject({
      data: { insert_author: { affected_rows: 1, returning: [{ press: { name: "North" } }] } },
    });
  });

  it("Rows of one insert, given as a variable, connect rows of their own", async () => {
    const text = `mutation ($rows: [author_insert_input!]!) {
      insert_author(objects: $rows) { affected_rows returning { name press { name } books { title } } } }`;
    const to = (name: string) => ({ press: { connect: { where: { name: { _eq: name } } } } });
    const books = { connect: [{ where: { title: { _eq: "A1" } } }] };
    const rows = [
      { name: "C", _related: to("North") },
      { name: "D" },
      { name: "E", _related: { ...to("South"), books } },
      { name: "F", _related: to("South"), books: { data: [{ title: "F1" }] } },
      { name: "G", _related: null },
    ];
    expect(await ask(text, {}, { rows })).toEqual({
      data: {
        insert_author: {
          affected_rows: 7,
          returning: [
            { name: "C", press: { name: "North" }, books: [] },
            { name: "D", press: null, books: [] },
            { name: "E", press: { name: "South" }, books: [{ title: "A1" }] },
            { name: "F", press: { name: "South" }, books: [{ title: "F1" }] },
            { name: "G", press: null, books: [] },
          ],
        },
      },
    });
  });

  it("Nested rows and rows inserted by updates connect rows as well", async () => {
    const nested = `mutation { insert_press_one(object: { name: "West", authors: { data: [
      { name: "C", _related: { books: { connect: { where: { title: { _eq: "B1" } } } } } }
    ] } }) { authors { name books { title } } } }`;
    expect(await ask(nested)).toEqual({
      data: { insert_press_one: { authors: [{ name: "C", books: [{ title: "B1" }] }] } },
    });
    const updated = (key: number) => `mutation { update_author_by_pk(pk_columns: { id: ${key} }, _related: {
      books: { insert: { data: [{ title: "A3", _related: { editor: {
        connect_or_create: { where: { name: { _eq: "Eve" } }, data: { name: "Eve" } } } } }] } }
    }) { books(where: { title: { _eq: "A3" } }) { editor { name } } } }`;
    expect(await ask(updated(1))).toEqual({
      data: { update_author_by_pk: { books: [{ editor: { name: "Eve" } }] } },
    });
    // Without the parent row, neither the book nor its editor is inserted.
    expect(await ask(updated(99))).toEqual({ data: { update_author_by_pk: null } });
    expect(await rowsOf("author", "name")).toEqual(["Ada", "Ben", "C", "Eve"]);
  });

  it("An object relationship accepts one row, and a foreign key one value", async () => {
    const press = `connect: { where: { id: { _eq: 1 } } }`;
    const messages = [
      insertAuthor(`press: { ${press}, connect_or_create: { where: {}, data: { name: "x" } } }`),
      `mutation { insert_author(objects: { name: "x", press_id: 1, _related: { press: { ${press} } } }) { affected_rows } }`,
      `mutation { insert_author(objects: { name: "x", press: { data: { name: "y" } }, _related: { press: { ${press} } } }) {
        affected_rows } }`,
    ].map(async (text) => ((await ask(text)) as { errors: { message: string }[] }).errors[0]?.message);
    const determined = 'cannot insert object relationship "press" as "press_id" column values are already determined';
    expect(await Promise.all(messages)).toEqual([
      'the object relationship "press" has one row: use either "connect" or "connect_or_create"',
      determined,
      determined,
    ]);
    expect(await rowsOf("author", "name")).toEqual(["Ada", "Ben"]);
  });
});

describe("Inserts that connect rows outside of single requests", () => {
  it("A saved mutation inserts a row only if none matches", async () => {
    const text = `mutation ($name: String!, $press: String!) { insert_author_one(object: { name: $name, _related: {
      press: { connect_or_create: { where: { name: { _eq: $press } }, data: { name: $press } } }
      books: { connect_or_create: { where: { title: { _eq: "C1" } }, data: { title: "C1" } } } } }) {
      press { id name } books { id title } } }`;
    await server.metadata("create_query_collection", {
      name: "authors",
      definition: { queries: [{ name: "add", query: text }] },
    });
    const definition = { query: { collection_name: "authors", query_name: "add" } };
    await server.metadata("create_rest_endpoint", { name: "add", url: "authors", methods: ["POST"], definition });
    const add = async (press: string): Promise<unknown> => {
      const body = JSON.stringify({ name: "Cleo", press });
      return (await fetch(`${server.url}/api/rest/authors`, { method: "POST", body })).json();
    };
    const added = (id: number, name: string) => ({
      data: { insert_author_one: { press: { id, name }, books: [{ id: 4, title: "C1" }] } },
    });
    expect(await add("West")).toEqual(added(4, "West"));
    expect(await add("West")).toEqual(added(4, "West"));
    expect(await add("North")).toEqual(added(1, "North"));
    await server.metadata("drop_rest_endpoint", { name: "add" });
    await server.metadata("drop_query_collection", { collection: "authors", cascade: true });
  });

  it("Event triggers record connected rows as updates", async () => {
    await server.metadata("pg_create_event_trigger", {
      name: "book_moved",
      table: "book",
      webhook: "http://127.0.0.1:9",
      update: { columns: ["author_id"] },
    });
    await ask(insertAuthor(`books: { connect: { where: { title: { _eq: "B1" } } } }`));
    const names = await query(
      server.databaseUrl,
      `select trigger_name as name from engine_catalog.event_log
       union select trigger_name from engine_catalog.packed_events`,
    );
    expect(names).toEqual([{ name: "book_moved" }]);
    await server.metadata("pg_delete_event_trigger", { name: "book_moved" });
  });

  it("A table with a column of the name _related keeps this column", async () => {
    await query(
      server.databaseUrl,
      "create table note (id serial primary key, _related text, author_id int references author)",
    );
    await server.metadata("bulk", [
      { type: "pg_track_table", args: { table: "note" } },
      {
        type: "pg_create_object_relationship",
        args: { table: "note", name: "author", using: { foreign_key_constraint_on: "author_id" } },
      },
    ]);
    expect(await ask(`mutation { insert_note_one(object: { _related: "text" }) { _related } }`)).toEqual({
      data: { insert_note_one: { _related: "text" } },
    });
    await server.metadata("pg_untrack_table", { table: "note", cascade: true });
    await query(server.databaseUrl, "drop table note");
  });
});

describe("Permissions of connected rows", () => {
  it("connect of an object relationship finds only rows that the role may select", async () => {
    const connect = (where: string) => insertAuthor(`press: { connect: { where: ${where} } }`);
    expect(await asWriter(connect(`{ name: { _eq: "hidden press" } }`))).toMatchObject({
      errors: [{ message: expect.stringContaining("must match exactly one row") }],
    });
    expect(await asWriter(connect(`{ id: { _gt: 1 } }`))).toMatchObject({
      data: { insert_author: { returning: [{ press: { name: "South" } }] } },
    });
  });

  it("connected rows of an array relationship pass the filter and the check of the update permission, and get its presets", async () => {
    await query(server.databaseUrl, "update book set state = 'locked' where title = 'A2'");
    expect(await asWriter(insertAuthor(`books: { connect: { where: {} } }`))).toMatchObject({
      data: { insert_author: { affected_rows: 3, returning: [{ books: [{ title: "A1" }, { title: "B1" }] }] } },
    });
    expect(await rowsOf("book", "title || state || author_id")).toEqual(["A1changed3", "A2locked1", "B1changed3"]);
    await query(server.databaseUrl, "update book set title = 'forbidden' where title = 'B1'");
    expect(await asWriter(insertAuthor(`books: { connect: { where: {} } }`))).toMatchObject({
      errors: [
        {
          extensions: {
            path: "$.selectionSet.insert_author.args.objects[0]._related.books.connect[0]",
            code: "permission-error",
          },
        },
      ],
    });
    expect(await rowsOf("author", "name")).toEqual(["Ada", "Ben", "Cleo"]);
  });

  it("A role has only the members that its permissions allow", async () => {
    const fields = async (type: string): Promise<unknown> => {
      const found = (await asWriter(`{ __type(name: "${type}") { inputFields { name } } }`)) as {
        data: { __type: { inputFields: { name: string }[] } | null };
      };
      return found.data.__type?.inputFields.map(({ name }) => name);
    };
    // The update permission of profile does not list author_id.
    expect(await fields("author_insert_related_input")).toEqual(["books", "edited", "press"]);
    // The insert permission of book does not list editor_id, and the role may not insert presses.
    expect(await fields("book_insert_related_input")).toEqual(["author"]);
    expect(await fields("press_obj_rel_connect_input")).toEqual(["connect"]);
    expect(await fields("author_obj_rel_connect_input")).toEqual(["connect", "connect_or_create"]);
  });
});

/** Updates with `_related`: which rows of relationships they write, under the permissions of each table. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

const columns = {
  author: ["id", "name", "shelf_id"],
  book: ["id", "title", "state", "author_id", "editor_id"],
  review: ["id", "book_id", "text"],
  profile: ["author_id", "bio"],
  shelf: ["id", "place"],
  tag: ["id", "name"],
  book_tag: ["book_id", "tag_id"],
} as const;
type Table = keyof typeof columns;

beforeAll(async () => {
  server = await startTestServer();
  await query(
    server.databaseUrl,
    `create table shelf (id serial primary key, place text not null unique);
     create table author (id serial primary key, name text not null, shelf_id int references shelf);
     create table profile (author_id int unique references author, bio text);
     create table book (id serial primary key, title text not null, state text not null default 'draft',
       author_id int references author, editor_id int references author, unique (author_id, title));
     create table review (id serial primary key, book_id int not null references book on delete cascade, text text);
     create table tag (id serial primary key, name text not null unique);
     create table book_tag (book_id int references book, tag_id int references tag, primary key (book_id, tag_id));`,
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
    object("author", "shelf", "shelf_id"),
    object("author", "profile", { table: "profile", column: "author_id" }),
    array("author", "books", "book", "author_id"),
    array("author", "edited", "book", "editor_id"),
    object("book", "author", "author_id"),
    array("book", "reviews", "review", "book_id"),
    array("book", "tags", "book_tag", "book_id"),
    object("book_tag", "tag", "tag_id"),
    ...Object.entries(columns).map(([table, all]) => ({
      type: "pg_create_select_permission",
      args: { table, role: "writer", permission: { columns: all, filter: {} } },
    })),
    permission("author", "update", { columns: ["name"], filter: { id: { _eq: "X-Engine-User-Id" } } }),
    permission("book", "update", {
      columns: ["title", "editor_id"],
      filter: { state: { _neq: "locked" } },
      check: { title: { _neq: "forbidden" } },
      set: { state: "changed" },
    }),
    permission("book", "insert", {
      columns: ["title"],
      check: { title: { _neq: "forbidden" } },
      set: { state: "new" },
    }),
    permission("book", "delete", { filter: { state: { _neq: "locked" } }, backend_only: true }),
    permission("review", "delete", { filter: { text: { _neq: "kept" } } }),
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
    `truncate shelf, author, profile, book, review, tag, book_tag restart identity cascade;
     insert into author (name) values ('Ada'), ('Ben');
     insert into book (title, author_id) values ('A1', 1), ('A2', 1), ('B1', 2);
     insert into review (book_id, text) values (1, 'good'), (1, 'kept'), (3, 'bad');
     insert into tag (name) values ('old'), ('red');
     insert into book_tag values (1, 1);`,
  ),
);

const ask = (text: string, session: Record<string, string> = {}, variables?: unknown) =>
  server.graphql(text, session, variables);
const asWriter = (text: string, more: Record<string, string> = {}) =>
  ask(text, { "x-engine-role": "writer", "x-engine-user-id": "1", ...more });

/** Returns the rows of a table as texts. */
async function rowsOf(table: Table, row = "t::text"): Promise<unknown> {
  const rows = await query(server.databaseUrl, `select ${row} as row from ${table} t order by 1`);
  return rows.map((each) => (each as { row: string }).row);
}

describe("Updates with related rows", () => {
  it("An update by key deletes, updates and inserts rows of array relationships, and counts all rows", async () => {
    const data = await ask(`mutation {
      update_author(where: { id: { _eq: 1 } }, _set: { name: "Ida" }, _related: { books: {
        insert: { data: [{ title: "A3" }, { title: "A4" }] }
        update: [{ where: { title: { _eq: "A2" } }, _set: { state: "open" } }]
        delete: { where: { title: { _in: ["A0", "B1"] } } }
      } }) { affected_rows returning { name books(order_by: { title: asc }) { title state } } }
    }`);
    const books = [
      { title: "A1", state: "draft" },
      { title: "A2", state: "open" },
      { title: "A3", state: "draft" },
      { title: "A4", state: "draft" },
    ];
    expect(data).toEqual({ data: { update_author: { affected_rows: 4, returning: [{ name: "Ida", books }] } } });
    expect(await rowsOf("book", "title")).toEqual(["A1", "A2", "A3", "A4", "B1"]);
  });

  it("Rows of other parents remain unchanged even if the request names them", async () => {
    const data = await ask(`mutation {
      update_author_by_pk(pk_columns: { id: 1 }, _related: { books: {
        update: [{ where: { id: { _eq: 3 } }, _set: { title: "stolen" }, _related: { reviews: { delete: { where: {} } } } }]
        delete: { where: { id: { _gte: 3 } } }
      } }) { id name }
    }`);
    expect(data).toEqual({ data: { update_author_by_pk: { id: 1, name: "Ada" } } });
    expect(await rowsOf("book", "title")).toEqual(["A1", "A2", "B1"]);
    expect(await rowsOf("review", "text")).toEqual(["bad", "good", "kept"]);
  });

  it("Conflicts of inserted rows update rows of the same parent only", async () => {
    const upsert = (id: number) => `{ data: [{ id: ${id}, title: "new" }],
      on_conflict: { constraint: book_pkey, update_columns: [title] } }`;
    const text = (id: number) => `mutation {
      update_author(where: { id: { _eq: 1 } }, _related: { books: { insert: ${upsert(id)} } }) { affected_rows }
    }`;
    expect(await ask(text(3))).toEqual({ data: { update_author: { affected_rows: 0 } } });
    expect(await rowsOf("book", "title")).toEqual(["A1", "A2", "B1"]);
    expect(await ask(text(2))).toEqual({ data: { update_author: { affected_rows: 1 } } });
    expect(await rowsOf("book", "title || author_id")).toEqual(["A11", "B12", "new1"]);
  });

  it("Levels nest, and rows of deeper levels belong to rows of the level above", async () => {
    const data = await ask(`mutation {
      update_author(where: {}, _related: { books: { update: [
        { where: { title: { _like: "A%" } }, _related: { reviews: {
          update: [{ where: {}, _set: { text: "seen" } }], insert: { data: { text: "extra" } } } } }
      ] } }) { affected_rows }
    }`);
    expect(data).toEqual({ data: { update_author: { affected_rows: 4 } } });
    expect(await rowsOf("review", "book_id || text")).toEqual(["1extra", "1seen", "1seen", "2extra", "3bad"]);
  });

  it("Without a row, an update by key writes nothing", async () => {
    const data = await ask(`mutation {
      update_author_by_pk(pk_columns: { id: 9 }, _set: { name: "None" }, _related: {
        shelf: { insert: { data: { place: "x" } } }
        books: { insert: { data: [{ title: "lost", reviews: { data: [{ text: "lost" }] } }] } }
      }) { id }
    }`);
    expect(data).toEqual({ data: { update_author_by_pk: null } });
    expect(await rowsOf("book", "title")).toEqual(["A1", "A2", "B1"]);
    expect(await rowsOf("shelf")).toEqual([]);
  });

  it("Inserted rows can have nested rows if one row is updated", async () => {
    const insert = `books: { insert: { data: [{ title: "A3", tags: { data: [
      { tag_id: 2 }, { tag: { data: { name: "blue" } } }] } }] } }`;
    expect(
      await ask(`mutation { update_author_by_pk(pk_columns: { id: 1 }, _related: { ${insert} }) {
        books(where: { title: { _eq: "A3" } }) { tags(order_by: { tag_id: asc }) { tag { name } } } } }`),
    ).toEqual({
      data: { update_author_by_pk: { books: [{ tags: [{ tag: { name: "red" } }, { tag: { name: "blue" } }] }] } },
    });
    expect(await ask(`mutation { update_author(where: {}, _related: { ${insert} }) { affected_rows } }`)).toMatchObject(
      {
        errors: [
          {
            message: expect.stringContaining('the rows of "books" can belong to one of them only'),
            extensions: { path: "$.selectionSet.update_author.args._related.books", code: "not-supported" },
          },
        ],
      },
    );
  });

  it("Rows of a join table are inserted and deleted", async () => {
    const data = await ask(`mutation {
      update_book_by_pk(pk_columns: { id: 1 }, _set: { title: "A" }, _related: { tags: {
        delete: { where: { tag_id: { _eq: 1 } } }, insert: { data: [{ tag_id: 2 }] } } }) { tags { tag { name } } }
    }`);
    expect(data).toEqual({ data: { update_book_by_pk: { tags: [{ tag: { name: "red" } }] } } });
  });

  it("Object relationships update the related row, and insert rows on both sides of a key", async () => {
    const text = (members: string) => `mutation {
      update_author_by_pk(pk_columns: { id: 1 }, _related: { ${members} }) { shelf { id place } profile { bio } }
    }`;
    const insert = `shelf: { insert: { data: { place: "top" } } }, profile: { insert: { data: { bio: "born" } } }`;
    expect(await ask(text(insert))).toEqual({
      data: { update_author_by_pk: { shelf: { id: 1, place: "top" }, profile: { bio: "born" } } },
    });
    const update = `shelf: { update: { _set: { place: "low" } } }, profile: { update: { _set: { bio: "lives" } } }`;
    expect(await ask(text(update))).toEqual({
      data: { update_author_by_pk: { shelf: { id: 1, place: "low" }, profile: { bio: "lives" } } },
    });
    expect(await rowsOf("author", "name || coalesce(shelf_id::text, '')")).toEqual(["Ada1", "Ben"]);
  });

  it("connect makes existing rows rows of the parent, and disconnect sets the joined columns to null", async () => {
    const connect = `mutation {
      update_author_by_pk(pk_columns: { id: 1 }, _related: { books: {
        disconnect: { where: { title: { _in: ["A1", "B1"] } } }, connect: { where: { title: { _eq: "B1" } } }
      } }) { books(order_by: { id: asc }) { title } }
    }`;
    expect(await ask(connect)).toEqual({
      data: { update_author_by_pk: { books: [{ title: "A2" }, { title: "B1" }] } },
    });
    expect(await rowsOf("book", "title || coalesce(author_id::text, '-')")).toEqual(["A1-", "A21", "B11"]);
  });

  it("set makes the rows that match, and no others, rows of the parent, and leaves rows that remain unchanged", async () => {
    const set = (where: string) => `mutation {
      update_author(where: { id: { _eq: 1 } }, _related: { books: { set: { where: ${where} } } }) { affected_rows } }`;
    const books = () => rowsOf("book", "title || coalesce(author_id::text, '-')");
    expect(await ask(set(`{ title: { _in: ["A2", "B1"] } }`))).toEqual({
      data: { update_author: { affected_rows: 2 } },
    });
    expect(await books()).toEqual(["A1-", "A21", "B11"]);
    // A condition that is neither true nor false matches no row.
    expect(await ask(set(`{ editor_id: { _neq: 1 } }`))).toEqual({ data: { update_author: { affected_rows: 2 } } });
    expect(await books()).toEqual(["A1-", "A2-", "B1-"]);
    expect(await ask(set(`{}`))).toEqual({ data: { update_author: { affected_rows: 3 } } });
    expect(await ask(set(`{}`))).toEqual({ data: { update_author: { affected_rows: 0 } } });
    expect(await books()).toEqual(["A11", "A21", "B11"]);
    const several = `mutation { update_author(where: {}, _related: { books: { set: { where: {} } } }) { affected_rows } }`;
    expect(await ask(several)).toMatchObject({
      errors: [{ message: expect.stringContaining('the rows of "books" can belong to one of them only') }],
    });
  });

  it("connect of an object relationship sets the foreign key of all updated rows to the only row that matches", async () => {
    const connect = (where: string, books = `{ title: { _neq: "A2" } }`) => `mutation {
      update_book(where: ${books}, _related: { author: { connect: { where: ${where} } } }) {
        affected_rows returning { title author { name } } } }`;
    expect(await ask(connect(`{ name: { _eq: "Ben" } }`))).toEqual({
      data: {
        update_book: {
          affected_rows: 2,
          returning: [
            { title: "A1", author: { name: "Ben" } },
            { title: "B1", author: { name: "Ben" } },
          ],
        },
      },
    });
    const path = "$.selectionSet.update_book.args._related.author.connect";
    for (const where of [`{}`, `{ name: { _eq: "none" } }`]) {
      expect(await ask(connect(where))).toMatchObject({
        errors: [
          {
            message:
              'cannot connect object relationship "author": the condition must match exactly one row of table "author"',
            extensions: { path, code: "not-supported" },
          },
        ],
      });
    }
    // Without a row to update, no row needs to match.
    expect(await ask(connect(`{}`, `{ id: { _eq: 99 } }`))).toEqual({
      data: { update_book: { affected_rows: 0, returning: [] } },
    });
    expect(await rowsOf("book", "title || author_id")).toEqual(["A12", "A21", "B12"]);
  });

  it("delete and connect of an object relationship replace the row that references the updated row", async () => {
    await query(server.databaseUrl, "insert into profile values (1, 'old'), (null, 'new')");
    const replace = `mutation { update_author_by_pk(pk_columns: { id: 1 }, _related: { profile: {
      delete: { where: { bio: { _eq: "old" } } }, connect: { where: { bio: { _eq: "new" } } } } }) { profile { bio } } }`;
    expect(await ask(replace)).toEqual({ data: { update_author_by_pk: { profile: { bio: "new" } } } });
    expect(await rowsOf("profile", "author_id || bio")).toEqual(["1new"]);
    const both = `mutation { update_author_by_pk(pk_columns: { id: 1 }, _related: { profile: {
      connect: { where: {} }, insert: { data: { bio: "x" } } } }) { id } }`;
    expect(await ask(both)).toMatchObject({
      errors: [{ message: 'the object relationship "profile" has one row: use either "connect" or "insert"' }],
    });
  });

  it("delete of a referenced row removes the references of the updated rows, then the row", async () => {
    const shelves = "insert into shelf (place) values ('north'), ('south'); update author set shelf_id = id";
    await query(server.databaseUrl, shelves);
    const remove = (
      author: string,
      where: string,
      more = "",
    ) => `mutation { update_author(where: ${author}, _related: { shelf: {
      delete: { where: ${where} } ${more} } }) { affected_rows returning { shelf { place } } } }`;
    const answer = (affected_rows: number, ...places: readonly (string | null)[]) => ({
      data: { update_author: { affected_rows, returning: places.map((place) => ({ shelf: place && { place } })) } },
    });
    expect(await ask(remove("{}", `{ place: { _eq: "north" } }`))).toEqual(answer(3, null, "south"));
    expect(await rowsOf("shelf", "place")).toEqual(["south"]);
    // The shelf of Ben is also referenced by Ada.
    await query(server.databaseUrl, "update author set shelf_id = 2");
    expect(await ask(remove("{ id: { _eq: 1 } }", "{}"))).toMatchObject({
      errors: [
        {
          extensions: { code: "constraint-violation", path: "$.selectionSet.update_author.args._related.shelf.delete" },
        },
      ],
    });
    expect(await ask(remove("{ id: { _eq: 9 } }", "{}"))).toEqual(answer(0));
    expect(await rowsOf("author", "shelf_id")).toEqual([2, 2]);
    expect(await ask(remove("{}", "{}"))).toEqual(answer(3, null, null));
    await query(server.databaseUrl, "insert into shelf values (7, 'old'); update author set shelf_id = 7 where id = 1");
    const insert = `insert: { data: { place: "new" } }`;
    expect(await ask(remove("{ id: { _eq: 1 } }", "{}", insert))).toEqual(answer(3, "new"));
    expect(await rowsOf("shelf", "place")).toEqual(["new"]);
    expect(
      await ask(remove("{ id: { _eq: 1 } }", "{}").replace("_related", "_set: { shelf_id: 1 }, _related")),
    ).toMatchObject({
      errors: [{ message: expect.stringContaining("already determined"), extensions: { code: "validation-failed" } }],
    });
  });

  it("A row that references itself is deleted by the update of itself", async () => {
    await query(
      server.databaseUrl,
      `create table if not exists node (id int primary key, parent_id int references node);
       insert into node values (1, 1) on conflict do nothing`,
    );
    await server.metadata("pg_track_table", { table: "node" });
    const using = { foreign_key_constraint_on: "parent_id" };
    await server.metadata("pg_create_object_relationship", { table: "node", name: "parent", using });
    const text = `mutation { update_node(where: {}, _related: { parent: { delete: { where: {} } } }) { affected_rows } }`;
    expect(await ask(text)).toEqual({ data: { update_node: { affected_rows: 2 } } });
    expect(await query(server.databaseUrl, "select * from node")).toEqual([]);
  });

  it("update_many writes the related rows of each of its updates", async () => {
    const data = await ask(`mutation {
      update_author_many(updates: [
        { where: { id: { _eq: 1 } }, _related: { books: { insert: { data: [{ title: "A3" }] } } } }
        { where: { id: { _eq: 2 } }, _set: { name: "Bo" } }
        { where: { id: { _eq: 9 } } }
        { where: {}, _related: { books: { delete: { where: { title: { _like: "%3" } } } } } }
      ]) { affected_rows returning { name } }
    }`);
    const both = [{ name: "Ada" }, { name: "Bo" }];
    expect(data).toEqual({
      data: {
        update_author_many: [
          { affected_rows: 1, returning: [{ name: "Ada" }] },
          { affected_rows: 1, returning: [{ name: "Bo" }] },
          { affected_rows: 0, returning: [] },
          { affected_rows: 1, returning: both },
        ],
      },
    });
  });

  it("A failing level undoes all levels, and the error has its path", async () => {
    const failing = (members: string) => `mutation {
      update_author_by_pk(pk_columns: { id: 1 }, _set: { name: "undone" }, _related: { books: { ${members} } }) { id }
    }`;
    const at = "$.selectionSet.update_author_by_pk.args._related.books";
    expect(await ask(failing(`insert: { data: [{ title: "A1" }] }`))).toMatchObject({
      errors: [{ extensions: { path: `${at}.insert.data`, code: "constraint-violation" } }],
    });
    expect(await ask(failing(`update: [{ where: {}, _set: { title: "same" } }]`))).toMatchObject({
      errors: [{ extensions: { path: `${at}.update[0]`, code: "constraint-violation" } }],
    });
    expect(await rowsOf("author", "name")).toEqual(["Ada", "Ben"]);
  });

  it("Columns that the parent determines cannot be given", async () => {
    const of = (members: string) =>
      `mutation { update_author_by_pk(pk_columns: { id: 1 }, _related: { ${members} }) { id } }`;
    const messages = [
      `books: { insert: { data: [{ title: "x", author_id: 2 }] } }`,
      `books: { update: [{ where: {}, _set: { author_id: 2 } }] }`,
      `shelf: { update: { _set: { id: 2 } } }`,
    ].map(async (members) => ((await ask(of(members))) as { errors: { message: string }[] }).errors[0]?.message);
    expect(await Promise.all(messages)).toEqual([
      'cannot insert "author_id" columns as their values are already being determined by parent update',
      'cannot update "author_id" columns as their values are already being determined by parent update',
      'cannot update "id" columns as their values are already being determined by parent update',
    ]);
    const both = `mutation { update_author_by_pk(pk_columns: { id: 1 }, _set: { shelf_id: 1 },
      _related: { shelf: { insert: { data: { place: "x" } } } }) { id } }`;
    expect(await ask(both)).toMatchObject({
      errors: [
        { message: 'cannot insert object relationship "shelf" as "shelf_id" column values are already determined' },
      ],
    });
  });
});

describe("Permissions of related rows", () => {
  it("Each level is restricted by the row filter, presets and check of its own permission", async () => {
    await query(server.databaseUrl, "update book set state = 'locked' where id = 2");
    const update = (title: string) => `mutation {
      update_author(where: {}, _related: { books: { update: [{ where: { id: { _in: [1, 2, 3] } }, _set: { title: "${title}" } }] } }) {
        affected_rows } }`;
    expect(await asWriter(update("new"))).toEqual({ data: { update_author: { affected_rows: 1 } } });
    expect(await rowsOf("book", "title || ' ' || state")).toEqual(["A2 locked", "B1 draft", "new changed"]);
    expect(await asWriter(update("forbidden"))).toMatchObject({
      errors: [
        {
          extensions: { path: "$.selectionSet.update_author.args._related.books.update[0]", code: "permission-error" },
        },
      ],
    });
  });

  it("Inserted rows get the presets of the insert permission, and must pass its check", async () => {
    const insert = (title: string) => `mutation {
      update_author(where: {}, _related: { books: { insert: { data: [{ title: "${title}" }] } } }) { affected_rows } }`;
    expect(await asWriter(insert("A3"))).toEqual({ data: { update_author: { affected_rows: 1 } } });
    expect(await rowsOf("book", "title || state || author_id")).toContain("A3new1");
    expect(await asWriter(insert("forbidden"))).toMatchObject({
      errors: [{ extensions: { code: "permission-error" } }],
    });
  });

  it("A role may only use the writes of its permissions", async () => {
    const of = (members: string) => `mutation { update_author(where: {}, _related: { ${members} }) { affected_rows } }`;
    const codes = [
      // The update permission does not list author_id.
      `books: { connect: { where: {} } }`,
      // Backend-only.
      `books: { delete: { where: {} } }`,
      // No permission to write.
      `profile: { update: { _set: { bio: "x" } } }`,
      // The update permission of author does not list shelf_id.
      `shelf: { insert: { data: { place: "x" } } }`,
      `books: { update: [{ where: {}, _set: { state: "open" } }] }`,
    ].map(
      async (members) =>
        ((await asWriter(of(members))) as { errors?: { extensions: object }[] }).errors?.[0]?.extensions,
    );
    for (const extensions of await Promise.all(codes)) expect(extensions).toMatchObject({ code: "validation-failed" });
    const backend = { "x-engine-use-backend-only-permissions": "true" };
    expect(await asWriter(of(`books: { delete: { where: { title: { _eq: "A2" } } } }`), backend)).toEqual({
      data: { update_author: { affected_rows: 1 } },
    });
  });

  it("connect needs the joined columns in the update permission, and applies its filter, presets and check", async () => {
    await query(server.databaseUrl, "update book set state = 'locked' where id = 2");
    const connect = `mutation { update_author(where: {}, _related: { edited: { connect: { where: {} } } }) { affected_rows } }`;
    expect(await asWriter(connect)).toEqual({ data: { update_author: { affected_rows: 2 } } });
    expect(await rowsOf("book", "title || state || coalesce(editor_id::text, '-')")).toEqual([
      "A1changed1",
      "A2locked-",
      "B1changed1",
    ]);
    await query(server.databaseUrl, "update book set title = 'forbidden' where id = 1");
    expect(await asWriter(connect)).toMatchObject({ errors: [{ extensions: { code: "permission-error" } }] });
  });

  it("Rows that the update filter of the parent hides are no parents", async () => {
    const text = `mutation { update_author(where: { id: { _eq: 2 } }, _related: { books: {
      insert: { data: [{ title: "x" }] }, update: [{ where: {}, _set: { title: "x" } }] } }) { affected_rows } }`;
    expect(await asWriter(text)).toEqual({ data: { update_author: { affected_rows: 0 } } });
    expect(await rowsOf("book", "title")).toEqual(["A1", "A2", "B1"]);
  });
});

describe("Updates with related rows outside of single requests", () => {
  it("A saved mutation with related rows serves a REST endpoint", async () => {
    const text = `mutation ($id: Int!, $books: [book_insert_input!]!, $gone: String!) {
      update_author_by_pk(pk_columns: { id: $id }, _related: { books: {
        delete: { where: { title: { _eq: $gone } } }, insert: { data: $books } } }) {
        books(order_by: { id: asc }) { title } }
    }`;
    await server.metadata("create_query_collection", {
      name: "authors",
      definition: { queries: [{ name: "change", query: text }] },
    });
    const definition = { query: { collection_name: "authors", query_name: "change" } };
    await server.metadata("create_rest_endpoint", { name: "change", url: "authors/:id", methods: ["PUT"], definition });
    const change = async (id: number): Promise<unknown> => {
      const body = JSON.stringify({ books: [{ title: "A3" }, { title: "A4" }], gone: "A2" });
      return (await fetch(`${server.url}/api/rest/authors/${id}`, { method: "PUT", body })).json();
    };
    const books = [{ title: "A1" }, { title: "A3" }, { title: "A4" }];
    expect(await change(1)).toEqual({ data: { update_author_by_pk: { books } } });
    expect(await change(9)).toEqual({ data: { update_author_by_pk: null } });
    expect(await rowsOf("book", "title")).toEqual(["A1", "A3", "A4", "B1"]);
    await server.metadata("drop_rest_endpoint", { name: "change" });
    await server.metadata("drop_query_collection", { collection: "authors", cascade: true });
  });

  it("Event triggers record the changes of each level", async () => {
    const recorded = (table: Table, operation: string) => ({
      type: "pg_create_event_trigger",
      args: { name: `${table}_${operation}`, table, webhook: "http://127.0.0.1:9", [operation]: { columns: "*" } },
    });
    await server.metadata("bulk", [
      recorded("author", "update"),
      recorded("book", "insert"),
      recorded("review", "delete"),
    ]);
    await ask(`mutation { update_author_by_pk(pk_columns: { id: 1 }, _set: { name: "Ida" }, _related: { books: {
      insert: { data: [{ title: "A3" }] }, update: { where: {}, _related: { reviews: { delete: { where: {} } } } } } }) { id } }`);
    const names = await query(
      server.databaseUrl,
      `select trigger_name as name from engine_catalog.event_log
       union select trigger_name from engine_catalog.packed_events order by 1`,
    );
    expect(names).toEqual([{ name: "author_update" }, { name: "book_insert" }, { name: "review_delete" }]);
  });
});

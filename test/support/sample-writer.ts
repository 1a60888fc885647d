/**
 * Handwritten views of a role that writes, as generated modules declare them, for tests of planning without a compiler.
 */
import {
  allowDelete,
  allowInsert,
  allowUpdate,
  column,
  constraint,
  copyColumn,
  defineRole,
  defineSource,
  defineTable,
  deleteByPk,
  deleteRows,
  engineDefault,
  insertAfter,
  insertBefore,
  insertRow,
  insertRows,
  joinOn,
  nestedRow,
  nestedRows,
  pg,
  postgres,
  preset,
  sql,
  type TableView,
  tableView,
  toMany,
  toOne,
  updateByPk,
  updateMany,
  updateRows,
} from "../../runtime/model/support/index.ts";

const source = defineSource({ name: "default", dialect: postgres, naming: engineDefault() });

const authorColumns = {
  id: column("id", `"id"`, pg("int4")),
  name: column("name", `"name"`, pg("text")),
};

const authorTable = defineTable({
  source,
  sql: `"public"."author"`,
  type: "author",
  displayName: "author",
  primaryKey: [authorColumns.id],
  constraints: [constraint("author_pkey", `"author_pkey"`, ["id"]), constraint("no name", `"no name"`, ["name"])],
});

const bookColumns = {
  id: column("id", `"id"`, pg("int4")),
  title: column("title", `"title"`, pg("text")),
  pages: column("pages", `"pages"`, pg("int4"), { nullable: true }),
  details: column("details", `"details"`, pg("jsonb"), { nullable: true }),
  author_id: column("author_id", `"author_id"`, pg("int4")),
};

const bookTable = defineTable({
  source,
  sql: `"public"."book"`,
  type: "book",
  displayName: "book",
  primaryKey: [bookColumns.id],
  constraints: [
    constraint("book_pkey", `"book_pkey"`, ["id"]),
    constraint("book_title_key", `"book_title_key"`, ["title"]),
  ],
});

const authorOfBook = joinOn((book, author) => sql`${author}."id" = ${book}."author_id"`, {
  unique: true,
  insert: insertBefore([copyColumn(`"id"`, `"author_id"`, pg("int4"))]),
});
const booksOfAuthor = joinOn((author, book) => sql`${book}."author_id" = ${author}."id"`, {
  unique: false,
  insert: insertAfter([copyColumn(`"id"`, `"author_id"`, pg("int4"))]),
});

const author: TableView = tableView(authorTable, {
  columns: Object.values(authorColumns),
  relationships: { books: toMany(booksOfAuthor, () => book) },
  insert: allowInsert({
    columns: Object.values(authorColumns),
    nested: { books: nestedRows(booksOfAuthor, () => book) },
  }),
});

const book: TableView = tableView(bookTable, {
  columns: Object.values(bookColumns),
  relationships: { author: toOne(authorOfBook, () => author) },
  visible: (row) => sql`${row}."hidden" is false`,
  insert: allowInsert({
    columns: Object.values(bookColumns),
    presets: [preset(`"branch_id"`, (session) => sql`${session("x-engine-branch-id")}::int4`)],
    check: (row) => sql`${row}."pages" > 0`,
    nested: { author: nestedRow(authorOfBook, () => author) },
  }),
  update: allowUpdate({
    columns: [bookColumns.title, bookColumns.pages, bookColumns.details],
    presets: [preset(`"changed"`, () => sql`'t'::bool`)],
    filter: (row, session) => sql`${row}."branch_id" = ${session("x-engine-branch-id")}::int4`,
    check: (row) => sql`${row}."pages" < 5000`,
  }),
  delete: allowDelete({ filter: (row) => sql`${row}."pages" is null` }),
});

/** A table that requests may write but not read. */
const noteColumns = { text: column("text", `"text"`, pg("text"), { nullable: true }) };
const note: TableView = tableView(
  defineTable({
    source,
    sql: `"public"."note"`,
    type: "note",
    displayName: "note",
    primaryKey: [],
    earlyTriggers: true,
  }),
  {
    readable: false,
    insert: allowInsert({ columns: [noteColumns.text], backendOnly: true }),
    update: allowUpdate({ columns: [noteColumns.text] }),
  },
);

export const sampleWriter = defineRole({
  role: "writer",
  query: {},
  mutation: {
    delete_book: deleteRows(() => book),
    delete_book_by_pk: deleteByPk(() => book),
    insert_author: insertRows(() => author),
    insert_author_one: insertRow(() => author),
    insert_book: insertRows(() => book),
    insert_book_one: insertRow(() => book),
    insert_note: insertRows(() => note, { backendOnly: true }),
    update_book: updateRows(() => book),
    update_book_by_pk: updateByPk(() => book),
    update_book_many: updateMany(() => book),
    update_note: updateRows(() => note),
  },
});

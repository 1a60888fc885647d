/** Handwritten views of a role, as generated modules declare them, for tests of planning without a compiler. */
import {
  column,
  defineRole,
  defineSource,
  defineTable,
  engineDefault,
  joinOn,
  pg,
  pgArray,
  postgres,
  type RowFilter,
  selectAggregate,
  selectByPk,
  selectMany,
  sql,
  streamRows,
  type TableView,
  tableView,
  toMany,
  toOne,
} from "../../runtime/model/support/index.ts";

const source = defineSource({ name: "default", dialect: postgres, naming: engineDefault() });

const bookColumns = {
  id: column("id", `"id"`, pg("int4")),
  isbn: column("isbn", `"isbn"`, pg("text", { cast: "public.isbn" }), { nullable: true }),
  title: column("title", `"title"`, pg("text")),
  price: column("price", `"price"`, pg("numeric")),
  genres: column("genres", `"genres"`, pgArray(pg("text"))),
  details: column("details", `"details"`, pg("jsonb"), { nullable: true }),
  author_id: column("author_id", `"author_id"`, pg("int4")),
};
const bookTable = defineTable({
  source,
  sql: `"public"."book"`,
  type: "book",
  displayName: "book",
  primaryKey: [bookColumns.id],
});

const authorColumns = {
  id: column("id", `"id"`, pg("int4")),
  name: column("name", `"name"`, pg("text")),
  born: column("born", `"born"`, pg("date"), { nullable: true }),
};
const authorTable = defineTable({
  source,
  sql: `"public"."author"`,
  type: "author",
  displayName: "author",
  primaryKey: [authorColumns.id],
});

const visibleBooks: RowFilter = (book, session) =>
  sql`${book}."branch_id" = ${session("x-engine-branch-id")}::int4 and ${book}."withdrawn" is null`;

export const book: TableView = tableView(bookTable, {
  columns: Object.values(bookColumns),
  relationships: {
    author: toOne(
      joinOn((b, a) => sql`${a}."id" = ${b}."author_id"`, { unique: true }),
      () => author,
      { required: true },
    ),
  },
  visible: visibleBooks,
  rowLimit: 50,
  aggregations: true,
});

export const author: TableView = tableView(authorTable, {
  columns: Object.values(authorColumns),
  relationships: {
    books: toMany(
      joinOn((a, b) => sql`${b}."author_id" = ${a}."id"`, { unique: false }),
      () => book,
      { aggregations: true },
    ),
  },
});

const roots = {
  author: selectMany(() => author),
  author_by_pk: selectByPk(() => author),
  book: selectMany(() => book),
  book_aggregate: selectAggregate(() => book),
  book_by_pk: selectByPk(() => book),
};

export const sampleRole = defineRole({
  role: "member",
  query: roots,
  subscription: { ...roots, book_stream: streamRows(() => book) },
});

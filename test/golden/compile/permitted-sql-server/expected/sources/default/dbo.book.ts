// Generated: change the metadata, not this file.
// From   table dbo.book (source default)
// Slice  sha256:1e6bfdae

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertAfter,
  insertBefore,
  joinOn,
  mssql,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of dbo.book. */
export const columns = {
  id: column("id", `[id]`, mssql("int")),
  title: column("title", `[title]`, mssql("nvarchar", { cast: "nvarchar(100)" })),
  author_id: column("author_id", `[author_id]`, mssql("int")),
  sequel_of: column("sequel_of", `[sequel_of]`, mssql("int"), { nullable: true }),
};

/** Table dbo.book. */
export const book = defineTable({
  source: defaultSource,
  sql: `[dbo].[book]`,
  type: "book",
  displayName: "book",
  primaryKey: [columns.id],
  constraints: [constraint("pk_book", `[pk_book]`, ["id"])],
  columns: Object.values(columns),
});

/** Join conditions of relationships. */
export const joins = {
  /** author_id is a foreign key to dbo.author. */
  author: joinOn((book, author) => sql`${author}.[id] = ${book}.[author_id]`, {
    unique: true,
    insert: insertBefore([copyColumn(`[id]`, `[author_id]`, mssql("int"))]),
  }),
  /** sequel_of is a foreign key to dbo.book. */
  first: joinOn((book, first) => sql`${first}.[id] = ${book}.[sequel_of]`, {
    unique: true,
    insert: insertBefore([copyColumn(`[id]`, `[sequel_of]`, mssql("int"))]),
  }),
  /** book_id of dbo.loan is a foreign key to dbo.book. */
  loans: joinOn((book, loan) => sql`${loan}.[book_id] = ${book}.[id]`, {
    unique: false,
    insert: insertAfter([copyColumn(`[id]`, `[book_id]`, mssql("int"))]),
  }),
};

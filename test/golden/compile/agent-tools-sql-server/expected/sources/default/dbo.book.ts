// Generated: change the metadata, not this file.
// From   table dbo.book (source default)
// Slice  sha256:89c97560

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertBefore,
  joinOn,
  mssql,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of dbo.book. */
export const columns = {
  id: column("id", `[id]`, mssql("bigint")),
  title: column("title", `[title]`, mssql("nvarchar", { cast: "nvarchar(200)" })),
  price: column("price", `[price]`, mssql("decimal", { cast: "decimal(8, 2)" }), {
    nullable: true,
  }),
  weight: column("weight", `[weight]`, mssql("smallint")),
  is_lent: column("is_lent", `[is_lent]`, mssql("bit")),
  published_on: column("published_on", `[published_on]`, mssql("date"), { nullable: true }),
  added_at: column("added_at", `[added_at]`, mssql("datetimeoffset")),
  code: column("code", `[code]`, mssql("uniqueidentifier")),
  secret: column("secret", `[secret]`, mssql("nvarchar", { cast: "nvarchar(50)" }), {
    nullable: true,
  }),
  author_id: column("author_id", `[author_id]`, mssql("int")),
};

/** Table dbo.book. */
export const book = defineTable({
  source: defaultSource,
  sql: `[dbo].[book]`,
  type: "book",
  displayName: "book",
  primaryKey: [columns.id],
  constraints: [
    constraint("pk_book", `[pk_book]`, ["id"]),
    constraint("uq_book_title", `[uq_book_title]`, ["title"]),
  ],
  columns: Object.values(columns),
});

/** Join conditions of relationships. */
export const joins = {
  /** author_id is a foreign key to dbo.author. */
  author: joinOn((book, author) => sql`${author}.[id] = ${book}.[author_id]`, {
    unique: true,
    insert: insertBefore([copyColumn(`[id]`, `[author_id]`, mssql("int"))]),
  }),
};

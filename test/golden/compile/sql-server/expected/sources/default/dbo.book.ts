// Generated: change the metadata, not this file.
// From   table dbo.book (source default)
// Slice  sha256:8afbdef4

import {
  column,
  computedValue,
  constraint,
  copyColumn,
  defineTable,
  insertBefore,
  joinOn,
  mssql,
  sql,
} from "engine/support";
import { headline } from "./dbo.headline.function.js";
import { defaultSource } from "./source.js";

/** Columns of dbo.book. */
export const columns = {
  id: column("id", `[id]`, mssql("int")),
  title: column("title", `[title]`, mssql("nvarchar", { cast: "nvarchar(200)" })),
  price: column("price", `[price]`, mssql("decimal", { cast: "decimal(8, 2)" })),
  author_id: column("author_id", `[author_id]`, mssql("int")),
  facts: column("facts", `[facts]`, mssql("nvarchar", { holds: "json" }), { nullable: true }),
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
};

/** Computed fields. */
export const computedFields = {
  headline: computedValue(headline, mssql("nvarchar", { cast: "nvarchar(300)" }), {
    columns: { 0: `[title]`, 1: `[price]` },
  }),
};

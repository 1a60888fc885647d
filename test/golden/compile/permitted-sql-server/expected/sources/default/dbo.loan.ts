// Generated: change the metadata, not this file.
// From   table dbo.loan (source default)
// Slice  sha256:62c0fb0c

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

/** Columns of dbo.loan. */
export const columns = {
  id: column("id", `[id]`, mssql("int")),
  book_id: column("book_id", `[book_id]`, mssql("int")),
  reader: column("reader", `[reader]`, mssql("nvarchar", { cast: "nvarchar(100)" })),
};

/** Table dbo.loan. */
export const loan = defineTable({
  source: defaultSource,
  sql: `[dbo].[loan]`,
  type: "loan",
  displayName: "loan",
  primaryKey: [columns.id],
  constraints: [constraint("pk_loan", `[pk_loan]`, ["id"])],
  columns: Object.values(columns),
});

/** Join conditions of relationships. */
export const joins = {
  /** book_id is a foreign key to dbo.book. */
  book: joinOn((loan, book) => sql`${book}.[id] = ${loan}.[book_id]`, {
    unique: true,
    insert: insertBefore([copyColumn(`[id]`, `[book_id]`, mssql("int"))]),
  }),
};

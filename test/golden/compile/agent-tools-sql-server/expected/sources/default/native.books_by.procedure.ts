// Generated: change the metadata, not this file.
// From   stored procedure books_by (source default)
// Slice  sha256:47cc93aa

import { column, defineTable, mssql, procedureArgument, storedProcedure } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of stored procedure books_by. */
export const columns = {
  id: column("id", `[id]`, mssql("bigint")),
  title: column("title", `[title]`, mssql("nvarchar", { cast: "nvarchar(200)" })),
};

/** Rows of stored procedure books_by. */
export const books_by = defineTable({
  source: defaultSource,
  sql: `[books_by]`,
  type: "listed_book",
  displayName: "listed_book",
  primaryKey: [],
  columns: Object.values(columns),
  query: storedProcedure({
    name: "books_by",
    objectType: "listed_book",
    procedure: `[dbo].[books_by]`,
    columns: [{ sql: `[id]`, type: "bigint" }, { sql: `[title]`, type: "nvarchar(200)" }],
    arguments: [procedureArgument("author", mssql("int"), "int")],
  }),
});

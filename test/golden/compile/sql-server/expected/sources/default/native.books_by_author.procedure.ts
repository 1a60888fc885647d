// Generated: change the metadata, not this file.
// From   stored procedure books_by_author (source default)
// Slice  sha256:aa61911a

import { column, defineTable, mssql, procedureArgument, storedProcedure } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of stored procedure books_by_author. */
export const columns = {
  id: column("id", `[id]`, mssql("int")),
  title: column("title", `[title]`, mssql("nvarchar", { cast: "nvarchar(200)" })),
  price: column("price", `[price]`, mssql("decimal", { cast: "decimal(8, 2)" }), {
    description: "Without tax.",
  }),
};

/** Rows of stored procedure books_by_author. */
export const books_by_author = defineTable({
  source: defaultSource,
  sql: `[books_by_author]`,
  type: "priced_book",
  displayName: "priced_book",
  primaryKey: [],
  columns: Object.values(columns),
  query: storedProcedure({
    name: "books_by_author",
    objectType: "priced_book",
    procedure: `[dbo].[books_by]`,
    columns: [
      { sql: `[id]`, type: "int" },
      { sql: `[title]`, type: "nvarchar(200)" },
      { sql: `[price]`, type: "decimal(8, 2)" },
    ],
    arguments: [
      procedureArgument("author", mssql("int"), "int"),
      procedureArgument("up_to", mssql("decimal", { cast: "decimal(8, 2)" }), "decimal(8, 2)", {
        nullable: true,
        description: "The highest price.",
      }),
    ],
  }),
});

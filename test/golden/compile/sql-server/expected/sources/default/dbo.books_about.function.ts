// Generated: change the metadata, not this file.
// From   function dbo.books_about (source default)
// Slice  sha256:9f8d2d2e

import { argument, defineFunction, mssql, trackFunction } from "engine/support";
import { defaultSource } from "./source.js";

/** Function dbo.books_about. */
export const books_about = defineFunction({
  source: defaultSource,
  sql: `[dbo].[books_about]`,
  displayName: "books_about",
  arguments: [
    argument(mssql("nvarchar", { cast: "nvarchar(100)" }), {
      field: "topic",
      sql: `[topic]`,
      hasDefault: true,
    }),
    argument(mssql("decimal", { cast: "decimal(8, 2)" }), {
      field: "at_most",
      sql: `[at_most]`,
      hasDefault: true,
    }),
  ],
  returnsSet: true,
});

/** The function as root fields call it. */
export const tracked = trackFunction(books_about, { type: "books_about" });

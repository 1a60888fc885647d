// Generated: change the metadata, not this file.
// From   function dbo.books_of (source default)
// Slice  sha256:b7451a95

import { argument, defineFunction, mssql } from "engine/support";
import { defaultSource } from "./source.js";

/** Function dbo.books_of. */
export const books_of = defineFunction({
  source: defaultSource,
  sql: `[dbo].[books_of]`,
  displayName: "books_of",
  arguments: [argument(mssql("int"), { field: "author", sql: `[author]`, hasDefault: true })],
  returnsSet: true,
});

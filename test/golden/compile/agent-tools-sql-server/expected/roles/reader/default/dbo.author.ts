// Generated: change the metadata, not this file.
// From   table dbo.author (source default): permissions of role reader
// Slice  sha256:056d74aa

import { tableView, toMany } from "engine/support";
import { author as table, columns, joins } from "../../../sources/default/dbo.author.js";
import { book } from "./dbo.book.js";

/** Select permission of role reader on dbo.author, for every row. */
export const author = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { books: toMany(joins.books, () => book, { aggregations: true }) },
});

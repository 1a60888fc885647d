// Generated: change the metadata, not this file.
// From   table dbo.author (source default): permissions of role clerk
// Slice  sha256:5629ee6b

import { tableView, toMany } from "engine/support";
import { author as table, columns, joins } from "../../../sources/default/dbo.author.js";
import { book } from "./dbo.book.js";

/** Select permission of role clerk on dbo.author, for every row. */
export const author = tableView(table, {
  columns: [columns.id],
  relationships: { books: toMany(joins.books, () => book) },
});

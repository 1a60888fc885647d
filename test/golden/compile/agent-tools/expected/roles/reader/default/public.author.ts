// Generated: change the metadata, not this file.
// From   table public.author (source default): permissions of role reader
// Slice  sha256:a71d512c

import { tableView, toMany } from "engine/support";
import { author as table, columns, joins } from "../../../sources/default/public.author.js";
import { book } from "./public.book.js";

/** Select permission of role reader on public.author, for every row. */
export const author = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { books: toMany(joins.books, () => book, { aggregations: true }) },
});

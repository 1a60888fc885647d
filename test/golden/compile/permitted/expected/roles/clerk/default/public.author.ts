// Generated: change the metadata, not this file.
// From   table public.author (source default): permissions of role clerk
// Slice  sha256:a57f78d9

import { tableView, toMany } from "engine/support";
import { author as table, columns, joins } from "../../../sources/default/public.author.js";
import { book } from "./public.book.js";

/** Select permission of role clerk on public.author, for every row. */
export const author = tableView(table, {
  columns: [columns.id],
  relationships: { books: toMany(joins.books, () => book) },
});

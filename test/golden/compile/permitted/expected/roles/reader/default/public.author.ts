// Generated: change the metadata, not this file.
// From   table public.author (source default): permissions of role reader
// Slice  sha256:86cb8b17

import { type RowFilter, sql, tableView, toMany } from "engine/support";
import { author as table, columns, joins } from "../../../sources/default/public.author.js";
import { book } from "./public.book.js";

/** Rows that role reader may read: {"published":{"_eq":true}} */
const visible: RowFilter = (author) => sql`${author}."published" = 'true'::bool`;

/** Select permission of role reader on public.author. */
export const author = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { books: toMany(joins.books, () => book) },
  visible,
});

// Generated: change the metadata, not this file.
// From   table public.author (source default): permissions of role editor
// Slice  sha256:cb90aa5d

import { type RowFilter, anyRowOf, sql, tableView, toMany } from "engine/support";
import { author as table, columns, joins } from "../../../sources/default/public.author.js";
import { book } from "./public.book.js";

/** Rows that role reader may read: {"published":{"_eq":true}} */
const rowsOfReader: RowFilter = (author) => sql`${author}."published" = 'true'::bool`;

/** Rows that role writer may read: {"owner":{"_eq":"X-Engine-User-Id"}} */
const rowsOfWriter: RowFilter = (author, session) =>
  sql`${author}."owner" = ${session("x-engine-user-id")}::text`;

/** Select permission of role editor on public.author. Inherited from roles reader, writer. */
export const author = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { books: toMany(joins.books, () => book) },
  visible: anyRowOf(rowsOfReader, rowsOfWriter),
});

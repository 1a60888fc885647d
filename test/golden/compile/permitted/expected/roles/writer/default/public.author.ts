// Generated: change the metadata, not this file.
// From   table public.author (source default): permissions of role writer
// Slice  sha256:0ba292e0

import { type RowFilter, sql, tableView, toMany } from "engine/support";
import { author as table, columns, joins } from "../../../sources/default/public.author.js";
import { book } from "./public.book.js";

/** Rows that role writer may read: {"owner":{"_eq":"X-Engine-User-Id"}} */
const visible: RowFilter = (author, session) =>
  sql`${author}."owner" = ${session("x-engine-user-id")}::text`;

/** Select permission of role writer on public.author. */
export const author = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { books: toMany(joins.books, () => book) },
  visible,
});

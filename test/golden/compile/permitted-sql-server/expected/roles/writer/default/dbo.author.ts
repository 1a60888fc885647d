// Generated: change the metadata, not this file.
// From   table dbo.author (source default): permissions of role writer
// Slice  sha256:578c7c81

import { type RowFilter, sql, tableView, toMany } from "engine/support";
import { author as table, columns, joins } from "../../../sources/default/dbo.author.js";
import { book } from "./dbo.book.js";

/** Rows that role writer may read: {"owner":{"_eq":"X-Engine-User-Id"}} */
const visible: RowFilter = (author, session) =>
  sql`${author}.[owner] = ${session("x-engine-user-id")}`;

/** Select permission of role writer on dbo.author. */
export const author = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { books: toMany(joins.books, () => book) },
  visible,
});

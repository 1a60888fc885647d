// Generated: change the metadata, not this file.
// From   table dbo.author (source default): permissions of role editor
// Slice  sha256:7b33e177

import { type RowFilter, anyRowOf, sql, tableView, toMany } from "engine/support";
import { author as table, columns, joins } from "../../../sources/default/dbo.author.js";
import { book } from "./dbo.book.js";

/** Rows that role reader may read: {"published":{"_eq":true}} */
const rowsOfReader: RowFilter = (author) => sql`${author}.[published] = cast(N'1' as bit)`;

/** Rows that role writer may read: {"owner":{"_eq":"X-Engine-User-Id"}} */
const rowsOfWriter: RowFilter = (author, session) =>
  sql`${author}.[owner] = ${session("x-engine-user-id")}`;

/** Select permission of role editor on dbo.author. Inherited from roles reader, writer. */
export const author = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { books: toMany(joins.books, () => book) },
  visible: anyRowOf(rowsOfReader, rowsOfWriter),
});

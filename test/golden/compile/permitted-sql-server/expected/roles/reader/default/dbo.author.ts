// Generated: change the metadata, not this file.
// From   table dbo.author (source default): permissions of role reader
// Slice  sha256:7013c9c6

import { type RowFilter, sql, tableView, toMany } from "engine/support";
import { author as table, columns, joins } from "../../../sources/default/dbo.author.js";
import { book } from "./dbo.book.js";

/** Rows that role reader may read: {"published":{"_eq":true}} */
const visible: RowFilter = (author) => sql`${author}.[published] = cast(N'1' as bit)`;

/** Select permission of role reader on dbo.author. */
export const author = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { books: toMany(joins.books, () => book) },
  visible,
});

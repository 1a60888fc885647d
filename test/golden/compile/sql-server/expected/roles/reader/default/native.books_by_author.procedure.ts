// Generated: change the metadata, not this file.
// From   stored procedure books_by_author (source default): permissions of role reader
// Slice  sha256:4863a949

import { type RowFilter, sql, tableView } from "engine/support";
import {
  books_by_author as table,
  columns,
} from "../../../sources/default/native.books_by_author.procedure.js";

/** Rows that role reader may read: {"price":{"_lt":12}} */
const visible: RowFilter = (books_by_author) =>
  sql`${books_by_author}.[price] < cast(N'12' as decimal(38, 12))`;

/** Select permission of role reader on stored procedure books_by_author. */
export const books_by_author = tableView(table, { columns: [columns.id, columns.title], visible });

// Generated: change the metadata, not this file.
// From   table dbo.author (source default): permissions of role reader
// Slice  sha256:76a9b385

import { type RowFilter, sql, tableView, toMany, toRows } from "engine/support";
import {
  author as table,
  columns,
  computedFields,
  joins,
} from "../../../sources/default/dbo.author.js";
import { book } from "./dbo.book.js";

/** Rows that role reader may read: {"own_books":{"price":{"_lt":12}}} */
const visible: RowFilter = (author) => sql`
  exists (
    select 1 from [dbo].[books_of](${author}.[id]) book_1
    where book_1.[price] < cast(N'12' as decimal(38, 12))
  )`;

/** Select permission of role reader on dbo.author. */
export const author = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { books: toMany(joins.books, () => book, { aggregations: true }) },
  computedFields: { own_books: toRows(computedFields.own_books, () => book) },
  visible,
});

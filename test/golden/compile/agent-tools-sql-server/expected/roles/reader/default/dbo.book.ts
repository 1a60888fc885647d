// Generated: change the metadata, not this file.
// From   table dbo.book (source default): permissions of role reader
// Slice  sha256:5f196f8b

import { type RowFilter, sql, tableView, toOne } from "engine/support";
import { book as table, columns, joins } from "../../../sources/default/dbo.book.js";
import { author } from "./dbo.author.js";

/** Rows that role reader may read: {"is_lent":{"_eq":false}} */
const visible: RowFilter = (book) => sql`${book}.[is_lent] = cast(N'0' as bit)`;

/** Select permission of role reader on dbo.book. */
export const book = tableView(table, {
  columns: [
    columns.id,
    columns.title,
    columns.price,
    columns.weight,
    columns.is_lent,
    columns.published_on,
    columns.added_at,
    columns.code,
  ],
  relationships: { author: toOne(joins.author, () => author, { required: true }) },
  visible,
  aggregations: true,
});

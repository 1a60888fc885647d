// Generated: change the metadata, not this file.
// From   table public.review (source default): permissions of role visitor
// Slice  sha256:efa977a3

import { type RowFilter, sql, tableView, toOne } from "engine/support";
import { columns, joins, review as table } from "../../../sources/default/public.review.js";
import { book } from "./public.book.js";

/** Rows that role visitor may read: {"hidden":{"_eq":false}} */
const visible: RowFilter = (review) => sql`${review}."hidden" = 'false'::bool`;

/** Select permission of role visitor on public.review. */
export const review = tableView(table, {
  columns: [columns.stars, columns.comment],
  relationships: { book: toOne(joins.book, () => book) },
  visible,
  rowLimit: 10,
});

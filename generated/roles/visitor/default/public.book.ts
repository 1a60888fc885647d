// Generated: change the metadata, not this file.
// From   table public.book (source default): permissions of role visitor
// Slice  sha256:dc1f0b9b

import { type RowFilter, sql, tableView, toMany, toOne } from "engine/support";
import { book as table, columns, joins } from "../../../sources/default/public.book.js";
import { author } from "./public.author.js";
import { copy } from "./public.copy.js";
import { review } from "./public.review.js";

/** Rows that role visitor may read: {"copies":{}} */
const visible: RowFilter = (book) =>
  sql`exists (select 1 from "public"."copy" copy_1 where copy_1."book_id" = ${book}."id")`;

/**
 * Select permission of role visitor on public.book.
 * Only titles that a branch has on its shelves.
 */
export const book = tableView(table, {
  columns: [columns.id, columns.title, columns.genres],
  relationships: {
    author: toOne(joins.author, () => author, { required: true }),
    copies: toMany(joins.copies, () => copy),
    reviews: toMany(joins.reviews, () => review),
  },
  visible,
  rowLimit: 20,
});

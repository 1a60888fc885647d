// Generated: change the metadata, not this file.
// From   table public.book (source default): permissions of role member
// Slice  sha256:8e03f4c4

import { tableView, toMany, toOne } from "engine/support";
import { book as table, columns, joins } from "../../../sources/default/public.book.js";
import { author } from "./public.author.js";
import { copy } from "./public.copy.js";
import { review } from "./public.review.js";

/** Select permission of role member on public.book, for every row. */
export const book = tableView(table, {
  columns: [
    columns.id,
    columns.title,
    columns.isbn,
    columns.published,
    columns.pages,
    columns.genres,
    columns.author_id,
  ],
  relationships: {
    author: toOne(joins.author, () => author, { required: true }),
    copies: toMany(joins.copies, () => copy),
    reviews: toMany(joins.reviews, () => review, { aggregations: true }),
  },
  aggregations: true,
});

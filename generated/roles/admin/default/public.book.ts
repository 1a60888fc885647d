// Generated: change the metadata, not this file.
// From   table public.book (source default): role admin
// Slice  sha256:e2b0c9f4

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRow,
  nestedRows,
  tableView,
  toMany,
  toOne,
} from "engine/support";
import { book as table, columns, joins } from "../../../sources/default/public.book.js";
import { author } from "./public.author.js";
import { copy } from "./public.copy.js";
import { review } from "./public.review.js";

/** Insert permission of role admin on public.book, without a check. */
const insert = allowInsert({
  columns: [
    columns.id,
    columns.title,
    columns.isbn,
    columns.published,
    columns.pages,
    columns.price,
    columns.genres,
    columns.author_id,
  ],
  nested: {
    author: nestedRow(joins.author, () => author),
    copies: nestedRows(joins.copies, () => copy),
    reviews: nestedRows(joins.reviews, () => review),
  },
});

/** Update permission of role admin on public.book, for every row. */
const update = allowUpdate({
  columns: [
    columns.id,
    columns.title,
    columns.isbn,
    columns.published,
    columns.pages,
    columns.price,
    columns.genres,
    columns.author_id,
  ],
});

/** Delete permission of role admin on public.book, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.book, for every row. */
export const book = tableView(table, {
  columns: [
    columns.id,
    columns.title,
    columns.isbn,
    columns.published,
    columns.pages,
    columns.price,
    columns.genres,
    columns.author_id,
  ],
  relationships: {
    author: toOne(joins.author, () => author, { required: true }),
    copies: toMany(joins.copies, () => copy, { aggregations: true }),
    reviews: toMany(joins.reviews, () => review, { aggregations: true }),
  },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

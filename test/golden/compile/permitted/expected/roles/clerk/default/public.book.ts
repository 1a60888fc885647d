// Generated: change the metadata, not this file.
// From   table public.book (source default): permissions of role clerk
// Slice  sha256:eb7fda68

import { type RowFilter, sql, tableView, toOne, whereReadable } from "engine/support";
import { book as table, columns, joins } from "../../../sources/default/public.book.js";
import { author } from "./public.author.js";

/**
 * Rows of public.book with a row in relationship author that role clerk may read: select permission
 * on public.author.
 */
const readableAuthor = whereReadable(joins.author, () => author);

/** Rows that role clerk may read: {"_permitted":{"relationship":"author","operation":"select"}} */
const visible: RowFilter = (book, session) => sql`${readableAuthor(book, session)}`;

/** Select permission of role clerk on public.book. */
export const book = tableView(table, {
  columns: [columns.id, columns.title],
  relationships: {
    author: toOne(joins.author, () => author, { required: true }),
    first: toOne(joins.first, () => book),
  },
  visible,
});

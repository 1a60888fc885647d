// Generated: change the metadata, not this file.
// From   table dbo.book (source default): permissions of role reader
// Slice  sha256:21250a0a

import { type RowFilter, sql, tableView, toMany, toOne, whereReadable } from "engine/support";
import { book as table, columns, joins } from "../../../sources/default/dbo.book.js";
import { author } from "./dbo.author.js";
import { loan } from "./dbo.loan.js";

/**
 * Rows of dbo.book with a row in relationship author that role reader may read: select permission
 * on dbo.author.
 */
const readableAuthor = whereReadable(joins.author, () => author);

/** Rows that role reader may read: {"_permitted":{"relationship":"author","operation":"select"}} */
const visible: RowFilter = (book, session) => sql`${readableAuthor(book, session)}`;

/** Select permission of role reader on dbo.book. */
export const book = tableView(table, {
  columns: [columns.id, columns.title],
  relationships: {
    author: toOne(joins.author, () => author),
    first: toOne(joins.first, () => book),
    loans: toMany(joins.loans, () => loan),
  },
  visible,
});

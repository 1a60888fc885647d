// Generated: change the metadata, not this file.
// From   table public.loan (source default): permissions of role writer
// Slice  sha256:ddda2d88

import { type RowFilter, sql, tableView, toOne, whereReadable } from "engine/support";
import { joins as bookJoins } from "../../../sources/default/public.book.js";
import { columns, joins, loan as table } from "../../../sources/default/public.loan.js";
import { author } from "./public.author.js";
import { book } from "./public.book.js";

/**
 * Rows of public.book with a row in relationship author that role writer may read: select
 * permission on public.author.
 */
const readableAuthor = whereReadable(bookJoins.author, () => author);

/**
 * Rows that role writer may read: {"_and":[{"book":{"_permitted":{"relationship":"author",
 * "operation":"select"}}},{"_not":{"reader":{"_ceq":["$","reader"]}}}]}
 */
const visible: RowFilter = (loan, session) => sql`
  exists (
    select 1 from "public"."book" book_1
    where book_1."id" = ${loan}."book_id"
    and ${readableAuthor(sql`book_1`, session)}
  )
  and not (${loan}."reader" = ${loan}."reader")`;

/** Select permission of role writer on public.loan. */
export const loan = tableView(table, {
  columns: [columns.id],
  relationships: { book: toOne(joins.book, () => book) },
  visible,
});

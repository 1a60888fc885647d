// Generated: change the metadata, not this file.
// From   table public.loan (source default): permissions of role editor
// Slice  sha256:8f803bdb

import {
  type RowFilter,
  allowDelete,
  anyRowOf,
  sql,
  tableView,
  toOne,
  whereReadable,
} from "engine/support";
import { joins as bookJoins } from "../../../sources/default/public.book.js";
import { columns, joins, loan as table } from "../../../sources/default/public.loan.js";
import { author } from "./public.author.js";
import { book } from "./public.book.js";

/**
 * Rows of public.loan with a row in relationship book that role editor may read: select permission
 * on public.book.
 */
const readableBook = whereReadable(joins.book, () => book);

/** Rows that role reader may read: {"_permitted":{"relationship":"book","operation":"select"}} */
const rowsOfReader: RowFilter = (loan, session) => sql`${readableBook(loan, session)}`;

/**
 * Rows of public.book with a row in relationship author that role editor may read: select
 * permission on public.author.
 */
const readableAuthor = whereReadable(bookJoins.author, () => author);

/**
 * Rows that role writer may read: {"_and":[{"book":{"_permitted":{"relationship":"author",
 * "operation":"select"}}},{"_not":{"reader":{"_ceq":["$","reader"]}}}]}
 */
const rowsOfWriter: RowFilter = (loan, session) => sql`
  exists (
    select 1 from "public"."book" book_1
    where book_1."id" = ${loan}."book_id"
    and ${readableAuthor(sql`book_1`, session)}
  )
  and not (${loan}."reader" = ${loan}."reader")`;

/**
 * Rows that role editor may delete:
 * {"_not":{"book":{"author":{"books":{"_permitted":{"relationship":"author",
 * "operation":"select"}}}}}}
 */
const deletable: RowFilter = (loan, session) => sql`
  not (
    exists (
      select 1 from "public"."book" book_1
      where book_1."id" = ${loan}."book_id"
      and exists (
        select 1 from "public"."author" author_1
        where author_1."id" = book_1."author_id"
        and exists (
          select 1 from "public"."book" book_2
          where book_2."author_id" = author_1."id"
          and ${readableAuthor(sql`book_2`, session)}
        )
      )
    )
  )`;

/** Delete permission of role editor on public.loan. Inherited from role reader. */
const remove = allowDelete({ filter: deletable });

/** Select permission of role editor on public.loan. Inherited from roles reader, writer. */
export const loan = tableView(table, {
  columns: [columns.id],
  relationships: { book: toOne(joins.book, () => book) },
  visible: anyRowOf(rowsOfReader, rowsOfWriter),
  delete: remove,
});

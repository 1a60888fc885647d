// Generated: change the metadata, not this file.
// From   table public.book (source default): permissions of role reader
// Slice  sha256:8654255a

import {
  type RowFilter,
  allowDelete,
  sql,
  tableView,
  toMany,
  toOne,
  whereReadable,
} from "engine/support";
import { book as table, columns, joins } from "../../../sources/default/public.book.js";
import { author } from "./public.author.js";
import { loan } from "./public.loan.js";

/**
 * Rows of public.book with a row in relationship author that role reader may read: select
 * permission on public.author.
 */
const readableAuthor = whereReadable(joins.author, () => author);

/** Rows that role reader may read: {"_permitted":{"relationship":"author","operation":"select"}} */
const visible: RowFilter = (book, session) => sql`${readableAuthor(book, session)}`;

/**
 * Rows that role reader may delete: {"_not":{"_permitted":{"relationship":"marks",
 * "operation":"select"}}}
 */
const deletable: RowFilter = (book, session) => sql`
  not (
    exists (
      select 1 from "public"."shelf mark" shelf_mark_1
      where shelf_mark_1."book_id" = ${book}."id"
      and exists (
        select 1 from "public"."book" book_1
        where book_1."id" = shelf_mark_1."book_id"
        and ${readableAuthor(sql`book_1`, session)}
      )
      and exists (
        select 1 from "public"."book" book_2
        where book_2."id" = shelf_mark_1."book_id"
        and book_2."title" <> shelf_mark_1."mark"
      )
    )
  )`;

/** Delete permission of role reader on public.book. */
const remove = allowDelete({ filter: deletable });

/** Select permission of role reader on public.book. */
export const book = tableView(table, {
  columns: [columns.id, columns.title],
  relationships: {
    author: toOne(joins.author, () => author),
    first: toOne(joins.first, () => book),
    loans: toMany(joins.loans, () => loan),
  },
  visible,
  delete: remove,
});

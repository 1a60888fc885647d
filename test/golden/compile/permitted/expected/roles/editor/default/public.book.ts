// Generated: change the metadata, not this file.
// From   table public.book (source default): permissions of role editor
// Slice  sha256:bf255f43

import {
  type RowFilter,
  allowDelete,
  allowInsert,
  allowUpdate,
  anyRowOf,
  nestedRow,
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
 * Rows of public.book with a row in relationship author that role editor may read: select
 * permission on public.author.
 */
const readableAuthor = whereReadable(joins.author, () => author);

/** Rows that role reader may read: {"_permitted":{"relationship":"author","operation":"select"}} */
const rowsOfReader: RowFilter = (book, session) => sql`${readableAuthor(book, session)}`;

/**
 * Rows that role writer may read: {"_or":[{"_permitted":{"relationship":"author",
 * "operation":"select"}},{"sequel_of":{"_is_null":true}}]}
 */
const rowsOfWriter: RowFilter = (book, session) =>
  sql`${readableAuthor(book, session)} or ${book}."sequel_of" is null`;

/**
 * Check of rows that role editor inserts: {"_permitted":{"relationship":"author",
 * "operation":"select"}}
 */
const insertCheck: RowFilter = (book, session) => sql`${readableAuthor(book, session)}`;

/** Insert permission of role editor on public.book. Inherited from role writer. */
const insert = allowInsert({
  columns: [columns.id, columns.title, columns.author_id, columns.sequel_of],
  check: insertCheck,
  nested: { first: nestedRow(joins.first, () => book) },
});

/**
 * Rows that role editor may update: {"_permitted":{"relationship":"author","operation":"select"}}
 */
const updatable: RowFilter = (book, session) => sql`${readableAuthor(book, session)}`;

/**
 * Rows of public.book with a row in relationship first that role editor may read: select permission
 * on public.book.
 */
const readableFirst = whereReadable(joins.first, () => book);

/**
 * Check of rows after an update by role editor: {"_or":[{"sequel_of":{"_is_null":true}},
 * {"_permitted":{"relationship":"first","operation":"select"}}]}
 */
const updateCheck: RowFilter = (book, session) =>
  sql`${book}."sequel_of" is null or ${readableFirst(book, session)}`;

/** Update permission of role editor on public.book. Inherited from role writer. */
const update = allowUpdate({
  columns: [columns.title, columns.sequel_of],
  filter: updatable,
  check: updateCheck,
});

/**
 * Rows that role editor may delete: {"_not":{"_permitted":{"relationship":"marks",
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
        and (
          ${readableAuthor(sql`book_1`, session)}
          or ${readableAuthor(sql`book_1`, session)}
          or book_1."sequel_of" is null
        )
      )
      and exists (
        select 1 from "public"."book" book_2
        where book_2."id" = shelf_mark_1."book_id"
        and book_2."title" <> shelf_mark_1."mark"
      )
    )
  )`;

/** Delete permission of role editor on public.book. Inherited from role reader. */
const remove = allowDelete({ filter: deletable });

/** Select permission of role editor on public.book. Inherited from roles reader, writer. */
export const book = tableView(table, {
  columns: [columns.id, columns.title],
  relationships: {
    author: toOne(joins.author, () => author),
    first: toOne(joins.first, () => book),
    loans: toMany(joins.loans, () => loan),
  },
  visible: anyRowOf(rowsOfReader, rowsOfWriter),
  insert,
  update,
  delete: remove,
});

// Generated: change the metadata, not this file.
// From   table dbo.loan (source default): permissions of role reader
// Slice  sha256:2343a554

import { type RowFilter, allowDelete, sql, tableView, toOne, whereReadable } from "engine/support";
import { joins as bookJoins } from "../../../sources/default/dbo.book.js";
import { columns, joins, loan as table } from "../../../sources/default/dbo.loan.js";
import { author } from "./dbo.author.js";
import { book } from "./dbo.book.js";

/**
 * Rows of dbo.loan with a row in relationship book that role reader may read: select permission on
 * dbo.book.
 */
const readableBook = whereReadable(joins.book, () => book);

/** Rows that role reader may read: {"_permitted":{"relationship":"book","operation":"select"}} */
const visible: RowFilter = (loan, session) => sql`${readableBook(loan, session)}`;

/**
 * Rows of dbo.book with a row in relationship author that role reader may read: select permission
 * on dbo.author.
 */
const readableAuthor = whereReadable(bookJoins.author, () => author);

/**
 * Rows that role reader may delete:
 * {"_not":{"book":{"author":{"books":{"_permitted":{"relationship":"author",
 * "operation":"select"}}}}}}
 */
const deletable: RowFilter = (loan, session) => sql`
  not (
    exists (
      select 1 from [dbo].[book] book_1
      where book_1.[id] = ${loan}.[book_id]
      and exists (
        select 1 from [dbo].[author] author_1
        where author_1.[id] = book_1.[author_id]
        and exists (
          select 1 from [dbo].[book] book_2
          where book_2.[author_id] = author_1.[id]
          and ${readableAuthor(sql`book_2`, session)}
        )
      )
    )
  )`;

/** Delete permission of role reader on dbo.loan. */
const remove = allowDelete({ filter: deletable });

/** Select permission of role reader on dbo.loan. */
export const loan = tableView(table, {
  columns: [columns.id],
  relationships: { book: toOne(joins.book, () => book) },
  visible,
  delete: remove,
});

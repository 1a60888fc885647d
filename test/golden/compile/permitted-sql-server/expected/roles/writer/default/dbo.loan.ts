// Generated: change the metadata, not this file.
// From   table dbo.loan (source default): permissions of role writer
// Slice  sha256:b989b078

import { type RowFilter, sql, tableView, toOne, whereReadable } from "engine/support";
import { joins as bookJoins } from "../../../sources/default/dbo.book.js";
import { columns, joins, loan as table } from "../../../sources/default/dbo.loan.js";
import { author } from "./dbo.author.js";
import { book } from "./dbo.book.js";

/**
 * Rows of dbo.book with a row in relationship author that role writer may read: select permission
 * on dbo.author.
 */
const readableAuthor = whereReadable(bookJoins.author, () => author);

/**
 * Rows that role writer may read: {"_and":[{"book":{"_permitted":{"relationship":"author",
 * "operation":"select"}}},{"_not":{"reader":{"_ceq":["$","reader"]}}}]}
 */
const visible: RowFilter = (loan, session) => sql`
  exists (
    select 1 from [dbo].[book] book_1
    where book_1.[id] = ${loan}.[book_id]
    and ${readableAuthor(sql`book_1`, session)}
  )
  and not (${loan}.[reader] = ${loan}.[reader])`;

/** Select permission of role writer on dbo.loan. */
export const loan = tableView(table, {
  columns: [columns.id],
  relationships: { book: toOne(joins.book, () => book) },
  visible,
});

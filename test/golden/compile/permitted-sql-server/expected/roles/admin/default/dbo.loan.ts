// Generated: change the metadata, not this file.
// From   table dbo.loan (source default): role admin
// Slice  sha256:13e5f4c9

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { columns, joins, loan as table } from "../../../sources/default/dbo.loan.js";
import { book } from "./dbo.book.js";

/** Insert permission of role admin on dbo.loan, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.book_id, columns.reader],
  nested: { book: nestedRow(joins.book, () => book) },
});

/** Update permission of role admin on dbo.loan, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.book_id, columns.reader] });

/** Delete permission of role admin on dbo.loan, for every row. */
const remove = allowDelete();

/** Select permission of role admin on dbo.loan, for every row. */
export const loan = tableView(table, {
  columns: [columns.id, columns.book_id, columns.reader],
  relationships: { book: toOne(joins.book, () => book, { required: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

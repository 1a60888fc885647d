// Generated: change the metadata, not this file.
// From   table public.loan (source default): role admin
// Slice  sha256:31dc2f15

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { columns, joins, loan as table } from "../../../sources/default/public.loan.js";
import { book } from "./public.book.js";

/** Insert permission of role admin on public.loan, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.book_id, columns.reader],
  nested: { book: nestedRow(joins.book, () => book) },
});

/** Update permission of role admin on public.loan, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.book_id, columns.reader] });

/** Delete permission of role admin on public.loan, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.loan, for every row. */
export const loan = tableView(table, {
  columns: [columns.id, columns.book_id, columns.reader],
  relationships: { book: toOne(joins.book, () => book, { required: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

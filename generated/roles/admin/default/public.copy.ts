// Generated: change the metadata, not this file.
// From   table public.copy (source default): role admin
// Slice  sha256:cfdd7e11

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRow,
  nestedRows,
  tableView,
  toMany,
  toOne,
} from "engine/support";
import { columns, copy as table, joins } from "../../../sources/default/public.copy.js";
import { book } from "./public.book.js";
import { branch } from "./public.branch.js";
import { loan } from "./public.loan.js";

/** Insert permission of role admin on public.copy, without a check. */
const insert = allowInsert({
  columns: [
    columns.id,
    columns.book_id,
    columns.branch_id,
    columns.acquired,
    columns.condition_note,
  ],
  nested: {
    book: nestedRow(joins.book, () => book),
    branch: nestedRow(joins.branch, () => branch),
    loans: nestedRows(joins.loans, () => loan),
  },
});

/** Update permission of role admin on public.copy, for every row. */
const update = allowUpdate({
  columns: [
    columns.id,
    columns.book_id,
    columns.branch_id,
    columns.acquired,
    columns.condition_note,
  ],
});

/** Delete permission of role admin on public.copy, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.copy, for every row. */
export const copy = tableView(table, {
  columns: [
    columns.id,
    columns.book_id,
    columns.branch_id,
    columns.acquired,
    columns.condition_note,
  ],
  relationships: {
    book: toOne(joins.book, () => book, { required: true }),
    branch: toOne(joins.branch, () => branch, { required: true }),
    loans: toMany(joins.loans, () => loan, { aggregations: true }),
  },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

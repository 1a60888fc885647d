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

/** What role admin may insert into public.copy, without a check. */
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

/** What role admin may change in public.copy, in every row. */
const update = allowUpdate({
  columns: [
    columns.id,
    columns.book_id,
    columns.branch_id,
    columns.acquired,
    columns.condition_note,
  ],
});

/** What role admin may delete from public.copy, every row. */
const remove = allowDelete();

/** What role admin may read of public.copy, in every row. */
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

// Generated: change the metadata, not this file.
// From   table public.copy (source default): permissions of role member
// Slice  sha256:74c0357f

import { tableView, toMany, toOne } from "engine/support";
import { columns, copy as table, joins } from "../../../sources/default/public.copy.js";
import { book } from "./public.book.js";
import { branch } from "./public.branch.js";
import { loan } from "./public.loan.js";

/** Select permission of role member on public.copy, for every row. */
export const copy = tableView(table, {
  columns: [columns.id, columns.book_id, columns.branch_id],
  relationships: {
    book: toOne(joins.book, () => book, { required: true }),
    branch: toOne(joins.branch, () => branch, { required: true }),
    loans: toMany(joins.loans, () => loan, { aggregations: true }),
  },
});

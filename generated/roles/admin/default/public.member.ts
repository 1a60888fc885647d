// Generated: change the metadata, not this file.
// From   table public.member (source default): role admin
// Slice  sha256:62d5f9ff

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
import { columns, joins, member as table } from "../../../sources/default/public.member.js";
import { branch } from "./public.branch.js";
import { loan } from "./public.loan.js";
import { review } from "./public.review.js";

/** Insert permission of role admin on public.member, without a check. */
const insert = allowInsert({
  columns: [
    columns.id,
    columns.name,
    columns.email,
    columns.membership,
    columns.joined,
    columns.fines_due,
    columns.home_branch_id,
  ],
  nested: {
    home_branch: nestedRow(joins.home_branch, () => branch),
    loans: nestedRows(joins.loans, () => loan),
    reviews: nestedRows(joins.reviews, () => review),
  },
});

/** Update permission of role admin on public.member, for every row. */
const update = allowUpdate({
  columns: [
    columns.id,
    columns.name,
    columns.email,
    columns.membership,
    columns.joined,
    columns.fines_due,
    columns.home_branch_id,
  ],
});

/** Delete permission of role admin on public.member, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.member, for every row. */
export const member = tableView(table, {
  columns: [
    columns.id,
    columns.name,
    columns.email,
    columns.membership,
    columns.joined,
    columns.fines_due,
    columns.home_branch_id,
  ],
  relationships: {
    home_branch: toOne(joins.home_branch, () => branch),
    loans: toMany(joins.loans, () => loan, { aggregations: true }),
    reviews: toMany(joins.reviews, () => review, { aggregations: true }),
  },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

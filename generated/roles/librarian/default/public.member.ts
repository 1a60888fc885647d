// Generated: change the metadata, not this file.
// From   table public.member (source default): permissions of role librarian
// Slice  sha256:93cbbdfa

import { tableView, toMany, toOne } from "engine/support";
import { columns, joins, member as table } from "../../../sources/default/public.member.js";
import { branch } from "./public.branch.js";
import { loan } from "./public.loan.js";
import { review } from "./public.review.js";

/** Select permission of role librarian on public.member, for every row. */
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
});

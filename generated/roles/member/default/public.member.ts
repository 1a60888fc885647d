// Generated: change the metadata, not this file.
// From   table public.member (source default): permissions of role member
// Slice  sha256:41c87cdc

import { type RowFilter, sql, tableView, toMany, toOne } from "engine/support";
import { columns, joins, member as table } from "../../../sources/default/public.member.js";
import { branch } from "./public.branch.js";
import { loan } from "./public.loan.js";
import { review } from "./public.review.js";

/** Rows that role member may read: {"id":{"_eq":"X-Engine-User-Id"}} */
const visible: RowFilter = (member, session) =>
  sql`${member}."id" = ${session("x-engine-user-id")}::uuid`;

/** Select permission of role member on public.member. */
export const member = tableView(table, {
  columns: [
    columns.id,
    columns.name,
    columns.email,
    columns.membership,
    columns.joined,
    columns.home_branch_id,
  ],
  relationships: {
    home_branch: toOne(joins.home_branch, () => branch),
    loans: toMany(joins.loans, () => loan, { aggregations: true }),
    reviews: toMany(joins.reviews, () => review, { aggregations: true }),
  },
  visible,
});

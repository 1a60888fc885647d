// Generated: change the metadata, not this file.
// From   table public.loan (source default): permissions of role member
// Slice  sha256:a06feb38

import { type RowFilter, allowUpdate, sql, tableView, toOne } from "engine/support";
import { columns, joins, loan as table } from "../../../sources/default/public.loan.js";
import { copy } from "./public.copy.js";
import { member } from "./public.member.js";

/** Rows that role member may read: {"member_id":{"_eq":"X-Engine-User-Id"}} */
const visible: RowFilter = (loan, session) =>
  sql`${loan}."member_id" = ${session("x-engine-user-id")}::uuid`;

/**
 * Rows that role member may update: {"_and":[{"member_id":{"_eq":"X-Engine-User-Id"}},
 * {"returned_on":{"_is_null":true}},{"renewals":{"_lt":2}}]}
 */
const updatable: RowFilter = (loan, session) => sql`
  ${loan}."member_id" = ${session("x-engine-user-id")}::uuid
  and ${loan}."returned_on" is null
  and ${loan}."renewals" < '2'::int2`;

/** Update permission of role member on public.loan. */
const update = allowUpdate({ columns: [columns.due_on], filter: updatable });

/**
 * Select permission of role member on public.loan.
 * Members see their own loans.
 */
export const loan = tableView(table, {
  columns: [
    columns.id,
    columns.copy_id,
    columns.lent_on,
    columns.due_on,
    columns.returned_on,
    columns.renewals,
  ],
  relationships: {
    copy: toOne(joins.copy, () => copy, { required: true }),
    member: toOne(joins.member, () => member),
  },
  visible,
  aggregations: true,
  update,
});

// Generated: change the metadata, not this file.
// From   table public.open_loan (source default): permissions of role librarian
// Slice  sha256:77c817ba

import { tableView, toOne } from "engine/support";
import { columns, joins, open_loan as table } from "../../../sources/default/public.open_loan.js";
import { copy } from "./public.copy.js";
import { member } from "./public.member.js";

/** Select permission of role librarian on public.open_loan, for every row. */
export const open_loan = tableView(table, {
  columns: [columns.id, columns.copy_id, columns.member_id, columns.due_on, columns.overdue],
  relationships: { copy: toOne(joins.copy, () => copy), member: toOne(joins.member, () => member) },
  aggregations: true,
});

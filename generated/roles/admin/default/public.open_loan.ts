// Generated: change the metadata, not this file.
// From   table public.open_loan (source default): role admin
// Slice  sha256:e9cc951e

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { columns, joins, open_loan as table } from "../../../sources/default/public.open_loan.js";
import { copy } from "./public.copy.js";
import { member } from "./public.member.js";

/** Insert permission of role admin on public.open_loan, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.copy_id, columns.member_id, columns.due_on, columns.overdue],
  nested: {
    copy: nestedRow(joins.copy, () => copy),
    member: nestedRow(joins.member, () => member),
  },
});

/** Update permission of role admin on public.open_loan, for every row. */
const update = allowUpdate({
  columns: [columns.id, columns.copy_id, columns.member_id, columns.due_on, columns.overdue],
});

/** Delete permission of role admin on public.open_loan, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.open_loan, for every row. */
export const open_loan = tableView(table, {
  columns: [columns.id, columns.copy_id, columns.member_id, columns.due_on, columns.overdue],
  relationships: { copy: toOne(joins.copy, () => copy), member: toOne(joins.member, () => member) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

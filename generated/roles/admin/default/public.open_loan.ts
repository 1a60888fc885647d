// Generated: change the metadata, not this file.
// From   table public.open_loan (source default): role admin
// Slice  sha256:e9cc951e

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { columns, joins, open_loan as table } from "../../../sources/default/public.open_loan.js";
import { copy } from "./public.copy.js";
import { member } from "./public.member.js";

/** What role admin may insert into public.open_loan, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.copy_id, columns.member_id, columns.due_on, columns.overdue],
  nested: {
    copy: nestedRow(joins.copy, () => copy),
    member: nestedRow(joins.member, () => member),
  },
});

/** What role admin may change in public.open_loan, in every row. */
const update = allowUpdate({
  columns: [columns.id, columns.copy_id, columns.member_id, columns.due_on, columns.overdue],
});

/** What role admin may delete from public.open_loan, every row. */
const remove = allowDelete();

/** What role admin may read of public.open_loan, in every row. */
export const open_loan = tableView(table, {
  columns: [columns.id, columns.copy_id, columns.member_id, columns.due_on, columns.overdue],
  relationships: { copy: toOne(joins.copy, () => copy), member: toOne(joins.member, () => member) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

// Generated: change the metadata, not this file.
// From   table public.loan (source default): role admin
// Slice  sha256:6dd386b5

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { columns, joins, loan as table } from "../../../sources/default/public.loan.js";
import { copy } from "./public.copy.js";
import { member } from "./public.member.js";

/** Insert permission of role admin on public.loan, without a check. */
const insert = allowInsert({
  columns: [
    columns.id,
    columns.copy_id,
    columns.member_id,
    columns.lent_on,
    columns.due_on,
    columns.returned_on,
    columns.renewals,
  ],
  nested: {
    copy: nestedRow(joins.copy, () => copy),
    member: nestedRow(joins.member, () => member),
  },
});

/** Update permission of role admin on public.loan, for every row. */
const update = allowUpdate({
  columns: [
    columns.id,
    columns.copy_id,
    columns.member_id,
    columns.lent_on,
    columns.due_on,
    columns.returned_on,
    columns.renewals,
  ],
});

/** Delete permission of role admin on public.loan, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.loan, for every row. */
export const loan = tableView(table, {
  columns: [
    columns.id,
    columns.copy_id,
    columns.member_id,
    columns.lent_on,
    columns.due_on,
    columns.returned_on,
    columns.renewals,
  ],
  relationships: {
    copy: toOne(joins.copy, () => copy, { required: true }),
    member: toOne(joins.member, () => member, { required: true }),
  },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

// Generated: change the metadata, not this file.
// From   table public.purchase (source default): role admin
// Slice  sha256:3ee2a4a7

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { columns, joins, purchase as table } from "../../../sources/default/public.purchase.js";
import { customer } from "./public.customer.js";

/** Insert permission of role admin on public.purchase, without a check. */
const insert = allowInsert({
  columns: [
    columns.id,
    columns.customer_id,
    columns.total,
    columns.discount,
    columns.ordered,
    columns.days,
  ],
  nested: { customer: nestedRow(joins.customer, () => customer) },
});

/** Update permission of role admin on public.purchase, for every row. */
const update = allowUpdate({
  columns: [
    columns.id,
    columns.customer_id,
    columns.total,
    columns.discount,
    columns.ordered,
    columns.days,
  ],
});

/** Delete permission of role admin on public.purchase, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.purchase, for every row. */
export const purchase = tableView(table, {
  columns: [
    columns.id,
    columns.customer_id,
    columns.total,
    columns.discount,
    columns.ordered,
    columns.days,
  ],
  relationships: { customer: toOne(joins.customer, () => customer, { required: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

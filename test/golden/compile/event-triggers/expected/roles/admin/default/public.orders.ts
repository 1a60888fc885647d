// Generated: change the metadata, not this file.
// From   table public.orders (source default): role admin
// Slice  sha256:3b8f12d3

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, orders as table } from "../../../sources/default/public.orders.js";

/** Insert permission of role admin on public.orders, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.customer, columns.status, columns.note],
});

/** Update permission of role admin on public.orders, for every row. */
const update = allowUpdate({
  columns: [columns.id, columns.customer, columns.status, columns.note],
});

/** Delete permission of role admin on public.orders, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.orders, for every row. */
export const orders = tableView(table, {
  columns: [columns.id, columns.customer, columns.status, columns.note],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

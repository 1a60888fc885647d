// Generated: change the metadata, not this file.
// From   table public.orders (source default): role admin
// Slice  sha256:3b8f12d3

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, orders as table } from "../../../sources/default/public.orders.js";

/** What role admin may insert into public.orders, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.customer, columns.status, columns.note],
});

/** What role admin may change in public.orders, in every row. */
const update = allowUpdate({
  columns: [columns.id, columns.customer, columns.status, columns.note],
});

/** What role admin may delete from public.orders, every row. */
const remove = allowDelete();

/** What role admin may read of public.orders, in every row. */
export const orders = tableView(table, {
  columns: [columns.id, columns.customer, columns.status, columns.note],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

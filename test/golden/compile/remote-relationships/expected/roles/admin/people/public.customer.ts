// Generated: change the metadata, not this file.
// From   table public.customer (source people): role admin
// Slice  sha256:a2be0104

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  joinColumn,
  joinKey,
  pg,
  tableView,
  toSourceRows,
} from "engine/support";
import { columns, customer as table } from "../../../sources/people/public.customer.js";
import { orders } from "../shop/public.orders.js";

/** Insert permission of role admin on public.customer, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.name, columns.tenant] });

/** Update permission of role admin on public.customer, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.name, columns.tenant] });

/** Delete permission of role admin on public.customer, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.customer, for every row. */
export const customer = tableView(table, {
  columns: [columns.id, columns.name, columns.tenant],
  remoteRelationships: {
    /** Joins id to customer_id of public.orders (source shop). */
    orders: toSourceRows(
      [joinColumn(joinKey("id", columns.id), `"customer_id"`, pg("int8"))],
      () => orders,
      { aggregations: true },
    ),
  },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

// Generated: change the metadata, not this file.
// From   table public.customer (source people): role admin
// Slice  sha256:3fabde24

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

/** What role admin may insert into public.customer, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.name, columns.tenant] });

/** What role admin may change in public.customer, in every row. */
const update = allowUpdate({ columns: [columns.id, columns.name, columns.tenant] });

/** What role admin may delete from public.customer, every row. */
const remove = allowDelete();

/** What role admin may read of public.customer, in every row. */
export const customer = tableView(table, {
  columns: [columns.id, columns.name, columns.tenant],
  remoteRelationships: {
    /** Joined as the metadata says: id to customer_id of public.orders (source shop). */
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

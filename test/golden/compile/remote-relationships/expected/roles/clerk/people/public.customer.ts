// Generated: change the metadata, not this file.
// From   table public.customer (source people): permissions of role clerk
// Slice  sha256:da6a4ee8

import {
  type RowFilter,
  joinColumn,
  joinKey,
  pg,
  sql,
  tableView,
  toSourceRows,
} from "engine/support";
import { columns, customer as table } from "../../../sources/people/public.customer.js";
import { orders } from "../shop/public.orders.js";

/** Rows that role clerk may read: {"tenant":{"_eq":"X-Engine-Tenant"}} */
const visible: RowFilter = (customer, session) =>
  sql`${customer}."tenant" = ${session("x-engine-tenant")}::int4`;

/** Select permission of role clerk on public.customer. */
export const customer = tableView(table, {
  columns: [columns.name],
  remoteRelationships: {
    /** Joins id to customer_id of public.orders (source shop). */
    orders: toSourceRows(
      [joinColumn(joinKey("id", columns.id), `"customer_id"`, pg("int8"))],
      () => orders,
    ),
  },
  visible,
  aggregations: true,
});

// Generated: change the metadata, not this file.
// From   table public.orders (source shop): permissions of role visitor
// Slice  sha256:ec68da48

import { type RowFilter, crossSourceValues, pg, postgres, sql, tableView } from "engine/support";
import { columns, orders as table } from "../../../sources/shop/public.orders.js";

/** Rows of public.customer (source people) that a filter below compares with. */
const customerFilter: RowFilter = (customer, session) =>
  sql`${customer}."tenant" = ${session("x-engine-tenant")}::int4`;

/**
 * Values of column "id" of public.customer (source people), read before the statement that compares
 * with them.
 */
const customerValues = crossSourceValues(postgres, {
  source: "people",
  dialect: postgres,
  from: `"public"."customer"`,
  column: `"id"`,
  type: pg("int8"),
  where: customerFilter,
});

/** Rows that role visitor may read: {"customer":{"tenant":{"_eq":"X-Engine-Tenant"}}} */
const visible: RowFilter = (orders) =>
  sql`${orders}."customer_id" = any(${customerValues}::int8[])`;

/** Select permission of role visitor on public.orders. */
export const orders = tableView(table, { columns: [columns.id], visible });

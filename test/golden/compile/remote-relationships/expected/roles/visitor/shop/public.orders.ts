// Generated: change the metadata, not this file.
// From   table public.orders (source shop): permissions of role visitor
// Slice  sha256:a53848ea

import { type RowFilter, pg, postgres, sql, tableView, valuesElsewhere } from "engine/support";
import { columns, orders as table } from "../../../sources/shop/public.orders.js";

/** The rows of public.customer (source people) that a filter below asks for. */
const customerElsewhere: RowFilter = (customer, session) =>
  sql`${customer}."tenant" = ${session("x-engine-tenant")}::int4`;

/**
 * Column "id" of public.customer (source people): read before the statement that compares with it.
 */
const customerValues = valuesElsewhere(postgres, {
  source: "people",
  dialect: postgres,
  from: `"public"."customer"`,
  column: `"id"`,
  type: pg("int8"),
  where: customerElsewhere,
});

/** Rows that role visitor may read: {"customer":{"tenant":{"_eq":"X-Engine-Tenant"}}} */
const visible: RowFilter = (orders) =>
  sql`${orders}."customer_id" = any(${customerValues}::int8[])`;

/** What role visitor may read of public.orders. */
export const orders = tableView(table, { columns: [columns.id], visible });

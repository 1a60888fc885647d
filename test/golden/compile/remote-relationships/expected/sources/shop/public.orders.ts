// Generated: change the metadata, not this file.
// From   table public.orders (source shop)
// Slice  sha256:f60369c7

import { column, computedValue, constraint, defineTable, pg } from "engine/support";
import { shouted } from "./public.shouted.function.js";
import { shop } from "./source.js";

/** Columns of public.orders. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  customer_id: column("customer_id", `"customer_id"`, pg("int8"), { nullable: true }),
  secret: column("secret", `"secret"`, pg("text"), { nullable: true }),
};

/** Table public.orders. */
export const orders = defineTable({
  source: shop,
  sql: `"public"."orders"`,
  type: "orders",
  displayName: "orders",
  primaryKey: [columns.id],
  constraints: [constraint("orders_pkey", `"orders_pkey"`, ["id"])],
});

/** Computed fields. */
export const computedFields = { shouted: computedValue(shouted, pg("text"), { row: 0 }) };

// Generated: change the metadata, not this file.
// From   table public.orders (source default)
// Slice  sha256:b3d3786a

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.orders. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  customer: column("customer", `"customer"`, pg("text")),
  status: column("status", `"status"`, pg("text")),
  note: column("note", `"note"`, pg("json"), { nullable: true }),
};

/** Table public.orders. */
export const orders = defineTable({
  source: defaultSource,
  sql: `"public"."orders"`,
  type: "orders",
  displayName: "orders",
  primaryKey: [columns.id],
  constraints: [constraint("orders_pkey", `"orders_pkey"`, ["id"])],
});

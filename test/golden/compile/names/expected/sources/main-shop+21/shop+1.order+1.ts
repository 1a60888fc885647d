// Generated: change the metadata, not this file.
// From   table Shop.Order (source Main Shop)
// Slice  sha256:46be8f67

import { column, constraint, defineTable, pg } from "engine/support";
import { Main_Shop } from "./source.js";

/** Columns of Shop.Order. */
export const columns = { id: column("id", `"id"`, pg("int4")) };

/** Table Shop.Order. */
export const Order = defineTable({
  source: Main_Shop,
  sql: `"Shop"."Order"`,
  type: "big_order",
  displayName: "Shop.Order",
  primaryKey: [columns.id],
  constraints: [constraint("Order_pkey", `"Order_pkey"`, ["id"])],
});

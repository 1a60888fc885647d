// Generated: change the metadata, not this file.
// From   table Shop.order (source Main Shop)
// Slice  sha256:22d1589c

import { column, constraint, defineTable, pg } from "engine/support";
import { Main_Shop } from "./source.js";

/** Columns of Shop.order. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  kind: column("kind", `"class"`, pg("text"), { nullable: true, description: "What kind it is." }),
  size: column("size", `"Größe"`, pg("text"), { nullable: true }),
};

/** Table Shop.order. */
export const order = defineTable({
  source: Main_Shop,
  sql: `"Shop"."order"`,
  type: "Shop_order",
  displayName: "Shop.order",
  primaryKey: [columns.id],
  constraints: [constraint("order_pkey", `"order_pkey"`, ["id"])],
});

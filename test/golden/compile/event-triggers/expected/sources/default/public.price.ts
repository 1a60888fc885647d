// Generated: change the metadata, not this file.
// From   table public.price (source default)
// Slice  sha256:5cc12b6a

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.price. */
export const columns = {
  product: column("product", `"product"`, pg("int4")),
  amount: column("amount", `"amount"`, pg("numeric")),
  seen: column("seen", `"seen"`, pg("int8")),
};

/** Table public.price. */
export const price = defineTable({
  source: defaultSource,
  sql: `"public"."price"`,
  type: "price",
  displayName: "price",
  primaryKey: [columns.product],
  constraints: [constraint("price_pkey", `"price_pkey"`, ["product"])],
});

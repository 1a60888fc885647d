// Generated: change the metadata, not this file.
// From   table public.customer (source people)
// Slice  sha256:a6b65b5b

import { column, constraint, defineTable, pg } from "engine/support";
import { people } from "./source.js";

/** Columns of public.customer. */
export const columns = {
  id: column("id", `"id"`, pg("int8")),
  name: column("name", `"name"`, pg("text")),
  tenant: column("tenant", `"tenant"`, pg("int4")),
};

/** Table public.customer. */
export const customer = defineTable({
  source: people,
  sql: `"public"."customer"`,
  type: "customer",
  displayName: "customer",
  primaryKey: [columns.id],
  constraints: [constraint("customer_pkey", `"customer_pkey"`, ["id"])],
});

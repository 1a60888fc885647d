// Generated: change the metadata, not this file.
// From   table public.purchase (source default)
// Slice  sha256:b348a0d3

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertBefore,
  joinOn,
  pg,
  pgArray,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.purchase. */
export const columns = {
  id: column("id", `"id"`, pg("int8")),
  customer_id: column("customer_id", `"customer_id"`, pg("uuid")),
  total: column("total", `"total"`, pg("numeric")),
  discount: column("discount", `"discount"`, pg("numeric"), { nullable: true }),
  ordered: column("ordered", `"ordered"`, pg("timestamptz")),
  days: column("days", `"days"`, pgArray(pg("date"))),
};

/** Table public.purchase. */
export const purchase = defineTable({
  source: defaultSource,
  sql: `"public"."purchase"`,
  type: "purchase",
  displayName: "purchase",
  primaryKey: [columns.id],
  constraints: [constraint("purchase_pkey", `"purchase_pkey"`, ["id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** customer_id is a foreign key to public.customer. */
  customer: joinOn((purchase, customer) => sql`${customer}."id" = ${purchase}."customer_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"customer_id"`, pg("uuid"))]),
  }),
};

// Generated: change the metadata, not this file.
// From   table public.customer (source default)
// Slice  sha256:a5f1239f

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertAfter,
  joinOn,
  pg,
  pgArray,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.customer. */
export const columns = {
  id: column("id", `"id"`, pg("uuid")),
  name: column("name", `"name"`, pg("text")),
  region: column("region", `"region"`, pg("text"), { nullable: true }),
  tags: column("tags", `"tags"`, pgArray(pg("text"))),
  settings: column("settings", `"settings"`, pg("jsonb")),
};

/** Table public.customer. */
export const customer = defineTable({
  source: defaultSource,
  sql: `"public"."customer"`,
  type: "customer",
  displayName: "customer",
  primaryKey: [columns.id],
  constraints: [constraint("customer_pkey", `"customer_pkey"`, ["id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** customer_id of public.purchase is a foreign key to public.customer. */
  purchases: joinOn((customer, purchase) => sql`${purchase}."customer_id" = ${customer}."id"`, {
    unique: false,
    insert: insertAfter([copyColumn(`"id"`, `"customer_id"`, pg("uuid"))]),
  }),
};

// Generated: change the metadata, not this file.
// From   table public.client (source default)
// Slice  sha256:edf790e1

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertAfter,
  joinOn,
  pg,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.client. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  name: column("name", `"name"`, pg("text")),
  tenant: column("tenant", `"tenant"`, pg("int4")),
  created_by: column("created_by", `"created_by"`, pg("text"), { nullable: true }),
};

/** Table public.client. */
export const client = defineTable({
  source: defaultSource,
  sql: `"public"."client"`,
  type: "client",
  displayName: "client",
  primaryKey: [columns.id],
  constraints: [constraint("client_pkey", `"client_pkey"`, ["id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** client_id of public.invoice is a foreign key to public.client. */
  invoices: joinOn((client, invoice) => sql`${invoice}."client_id" = ${client}."id"`, {
    unique: false,
    insert: insertAfter([copyColumn(`"id"`, `"client_id"`, pg("int4"))]),
  }),
};

// Generated: change the metadata, not this file.
// From   table public.invoice (source default)
// Slice  sha256:f70d6c29

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertBefore,
  joinOn,
  pg,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.invoice. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  client_id: column("client_id", `"client_id"`, pg("int4")),
  amount: column("amount", `"amount"`, pg("numeric")),
  notes: column("notes", `"notes"`, pg("jsonb"), { nullable: true }),
  total: column("total", `"total"`, pg("numeric"), { nullable: true }),
  updated_at: column("updated_at", `"updated_at"`, pg("timestamptz"), { nullable: true }),
};

/** Table public.invoice. */
export const invoice = defineTable({
  source: defaultSource,
  sql: `"public"."invoice"`,
  type: "invoice",
  displayName: "invoice",
  primaryKey: [columns.id],
  constraints: [constraint("invoice_pkey", `"invoice_pkey"`, ["id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** client_id is a foreign key to public.client. */
  client: joinOn((invoice, client) => sql`${client}."id" = ${invoice}."client_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"client_id"`, pg("int4"))]),
  }),
};

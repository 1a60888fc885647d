// Generated: change the metadata, not this file.
// From   table public.support_agent (source default)
// Slice  sha256:03a3e568

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.support_agent. */
export const columns = {
  id: column("id", `"id"`, pg("uuid")),
  region: column("region", `"region"`, pg("text")),
  valid_until: column("valid_until", `"valid_until"`, pg("date"), { nullable: true }),
};

/** Table public.support_agent. */
export const support_agent = defineTable({
  source: defaultSource,
  sql: `"public"."support_agent"`,
  type: "support_agent",
  displayName: "support_agent",
  primaryKey: [columns.id],
  constraints: [constraint("support_agent_pkey", `"support_agent_pkey"`, ["id"])],
});

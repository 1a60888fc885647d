// Generated: change the metadata, not this file.
// From   table public.visit_group (source default)
// Slice  sha256:6be60bb9

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.visit_group. */
export const columns = { id: column("id", `"id"`, pg("int4")) };

/** Table public.visit_group. */
export const visit_group = defineTable({
  source: defaultSource,
  sql: `"public"."visit_group"`,
  type: "visit_group",
  displayName: "visit_group",
  primaryKey: [columns.id],
  constraints: [constraint("visit_group_pkey", `"visit_group_pkey"`, ["id"])],
});

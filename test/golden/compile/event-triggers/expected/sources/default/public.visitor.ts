// Generated: change the metadata, not this file.
// From   table public.visitor (source default)
// Slice  sha256:c31a545e

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.visitor. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  mood: column("mood", `"mood"`, pg("mood", { cast: "public.mood", category: "enum" }), {
    nullable: true,
  }),
};

/** Table public.visitor. */
export const visitor = defineTable({
  source: defaultSource,
  sql: `"public"."visitor"`,
  type: "visitor",
  displayName: "visitor",
  primaryKey: [columns.id],
  constraints: [constraint("visitor_pkey", `"visitor_pkey"`, ["id"])],
});

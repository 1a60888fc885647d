// Generated: change the metadata, not this file.
// From   table public.island (source default)
// Slice  sha256:06e02a51

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.island. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  name: column("name", `"name"`, pg("text")),
};

/** Table public.island. */
export const island = defineTable({
  source: defaultSource,
  sql: `"public"."island"`,
  type: "island",
  displayName: "island",
  primaryKey: [columns.id],
  constraints: [constraint("island_pkey", `"island_pkey"`, ["id"])],
});

// Generated: change the metadata, not this file.
// From   table public.size (source default)
// Slice  sha256:d5ad0579

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.size. */
export const columns = { name: column("name", `"name"`, pg("text")) };

/** Table public.size. */
export const size = defineTable({
  source: defaultSource,
  sql: `"public"."size"`,
  type: "size",
  displayName: "size",
  primaryKey: [columns.name],
  constraints: [constraint("size_pkey", `"size_pkey"`, ["name"])],
});

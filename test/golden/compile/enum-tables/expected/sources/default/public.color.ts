// Generated: change the metadata, not this file.
// From   table public.color (source default)
// Slice  sha256:87c088bd

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.color. */
export const columns = {
  name: column("name", `"name"`, pg("text")),
  comment: column("comment", `"comment"`, pg("text"), { nullable: true }),
};

/** Table public.color. */
export const color = defineTable({
  source: defaultSource,
  sql: `"public"."color"`,
  type: "paint",
  displayName: "color",
  primaryKey: [columns.name],
  constraints: [constraint("color_pkey", `"color_pkey"`, ["name"])],
});

// Generated: change the metadata, not this file.
// From   table public.shirt (source default)
// Slice  sha256:0798002b

import { column, constraint, defineTable, enumOf, pg } from "engine/support";
import { color } from "./public.color.enum.js";
import { size } from "./public.size.enum.js";
import { defaultSource } from "./source.js";

/** Columns of public.shirt. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  color: column("color", `"color"`, enumOf(color, pg("varchar"))),
  size: column("size", `"size"`, enumOf(size, pg("text")), { nullable: true }),
  label: column("label", `"label"`, pg("text")),
};

/** Table public.shirt. */
export const shirt = defineTable({
  source: defaultSource,
  sql: `"public"."shirt"`,
  type: "shirt",
  displayName: "shirt",
  primaryKey: [columns.id],
  constraints: [constraint("shirt_pkey", `"shirt_pkey"`, ["id"])],
});

// Generated: change the metadata, not this file.
// From   table public.house (source default)
// Slice  sha256:ffc7a7b9

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.house. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  street: column("street", `"street"`, pg("text")),
};

/** Table public.house. */
export const house = defineTable({
  source: defaultSource,
  sql: `"public"."house"`,
  type: "house",
  displayName: "house",
  primaryKey: [columns.id],
  constraints: [constraint("house_pkey", `"house_pkey"`, ["id"])],
});

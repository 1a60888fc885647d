// Generated: change the metadata, not this file.
// From   table public.person (source default)
// Slice  sha256:10e95e4b

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.person. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  name: column("name", `"name"`, pg("text")),
  friend: column("friend", `"friend"`, pg("int4"), { nullable: true }),
  code: column("code", `"code"`, pg("varchar")),
};

/** Table public.person. */
export const person = defineTable({
  source: defaultSource,
  sql: `"public"."person"`,
  type: "person",
  displayName: "person",
  primaryKey: [columns.id],
  constraints: [constraint("person_pkey", `"person_pkey"`, ["id"])],
});

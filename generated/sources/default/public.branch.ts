// Generated: change the metadata, not this file.
// From   table public.branch (source default)
// Slice  sha256:88f8d25c

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.branch. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  name: column("name", `"name"`, pg("text")),
  address: column("address", `"address"`, pg("text")),
  opening_hours: column("opening_hours", `"opening_hours"`, pg("jsonb"), {
    description: "Hours by weekday: {\"mon\": [\"09:00\", \"18:00\"]}.",
  }),
};

/** Table public.branch. */
export const branch = defineTable({
  source: defaultSource,
  sql: `"public"."branch"`,
  type: "branch",
  displayName: "branch",
  description: "A house of the library.",
  primaryKey: [columns.id],
  constraints: [
    constraint("branch_pkey", `"branch_pkey"`, ["id"]),
    constraint("branch_name_key", `"branch_name_key"`, ["name"]),
  ],
});

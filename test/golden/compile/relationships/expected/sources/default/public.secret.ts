// Generated: change the metadata, not this file.
// From   table public.secret (source default)
// Slice  sha256:698627aa

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.secret. */
export const columns = {
  person_id: column("person_id", `"person_id"`, pg("int4")),
  text: column("text", `"text"`, pg("text")),
};

/** Table public.secret. */
export const secret = defineTable({
  source: defaultSource,
  sql: `"public"."secret"`,
  type: "secret",
  displayName: "secret",
  primaryKey: [columns.person_id],
  constraints: [constraint("secret_pkey", `"secret_pkey"`, ["person_id"])],
});

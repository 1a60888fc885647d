// Generated: change the metadata, not this file.
// From   table public.a `${b}` *\/ (source Main Shop)
// Slice  sha256:e0c807cb

import { column, constraint, defineTable, pg } from "engine/support";
import { Main_Shop } from "./source.js";

/** Columns of public.a `${b}` *\/. */
export const columns = { id: column("id", `"id"`, pg("int4")) };

/** Table public.a `${b}` *\/. */
export const a__$_b_____ = defineTable({
  source: Main_Shop,
  sql: `"public"."a \`\${b}\` */"`,
  type: "odd",
  displayName: "a `${b}` */",
  primaryKey: [columns.id],
  constraints: [constraint("a `${b}` */_pkey", `"a \`\${b}\` */_pkey"`, ["id"])],
});

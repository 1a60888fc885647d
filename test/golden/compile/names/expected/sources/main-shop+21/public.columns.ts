// Generated: change the metadata, not this file.
// From   table public.columns (source Main Shop)
// Slice  sha256:dcbaa439

import { column, constraint, defineTable, pg } from "engine/support";
import { Main_Shop } from "./source.js";

/** Columns of public.columns. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  sql: column("sql", `"sql"`, pg("text"), { nullable: true }),
  session: column("session", `"session"`, pg("text"), { nullable: true }),
};

/** Table public.columns. */
export const columns_ = defineTable({
  source: Main_Shop,
  sql: `"public"."columns"`,
  type: "columns",
  displayName: "columns",
  description: "Ends here */ and `${there}`,\n not on this line.",
  primaryKey: [columns.id],
  constraints: [constraint("columns_pkey", `"columns_pkey"`, ["id"])],
});

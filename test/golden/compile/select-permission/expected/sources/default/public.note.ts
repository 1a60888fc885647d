// Generated: change the metadata, not this file.
// From   table public.note (source default)
// Slice  sha256:dead0043

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.note. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  owner_id: column("owner_id", `"owner_id"`, pg("text")),
  title: column("title", `"title"`, pg("text"), { description: "One line." }),
  body: column("body", `"body"`, pg("text"), { nullable: true }),
  draft: column("draft", `"draft"`, pg("bool")),
};

/** Table public.note. */
export const note = defineTable({
  source: defaultSource,
  sql: `"public"."note"`,
  type: "note",
  displayName: "note",
  description: "What somebody wrote down.",
  primaryKey: [columns.id],
  constraints: [constraint("note_pkey", `"note_pkey"`, ["id"])],
});

// Generated: change the metadata, not this file.
// From   table public.visit (source default)
// Slice  sha256:0bb1d228

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertBefore,
  joinOn,
  pg,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.visit. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  town_id: column("town_id", `"town_id"`, pg("int4"), { nullable: true }),
  at: column("at", `"at"`, pg("timestamptz")),
  spent: column("spent", `"spent"`, pg("numeric")),
  details: column("details", `"details"`, pg("jsonb"), { nullable: true }),
};

/** Table public.visit. */
export const visit = defineTable({
  source: defaultSource,
  sql: `"public"."visit"`,
  type: "visit",
  displayName: "visit",
  primaryKey: [columns.id],
  constraints: [constraint("visit_pkey", `"visit_pkey"`, ["id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** town_id is a foreign key to public.town. */
  town: joinOn((visit, town) => sql`${town}."id" = ${visit}."town_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"town_id"`, pg("int4"))]),
  }),
};

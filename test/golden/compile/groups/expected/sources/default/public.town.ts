// Generated: change the metadata, not this file.
// From   table public.town (source default)
// Slice  sha256:4e52786c

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertAfter,
  joinOn,
  pg,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.town. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  name: column("name", `"name"`, pg("text")),
};

/** Table public.town. */
export const town = defineTable({
  source: defaultSource,
  sql: `"public"."town"`,
  type: "town",
  displayName: "town",
  primaryKey: [columns.id],
  constraints: [constraint("town_pkey", `"town_pkey"`, ["id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** town_id of public.visit is a foreign key to public.town. */
  visits: joinOn((town, visit) => sql`${visit}."town_id" = ${town}."id"`, {
    unique: false,
    insert: insertAfter([copyColumn(`"id"`, `"town_id"`, pg("int4"))]),
  }),
};

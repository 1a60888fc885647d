// Generated: change the metadata, not this file.
// From   table public.lodger (source default)
// Slice  sha256:5d4a445e

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

/** Columns of public.lodger. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  name: column("name", `"name"`, pg("text")),
  rent: column("rent", `"rent"`, pg("int4")),
  note: column("note", `"note"`, pg("text"), { nullable: true }),
  house_id: column("house_id", `"house_id"`, pg("int4"), { nullable: true }),
};

/** Table public.lodger. */
export const lodger = defineTable({
  source: defaultSource,
  sql: `"public"."lodger"`,
  type: "lodger",
  displayName: "lodger",
  primaryKey: [columns.id],
  constraints: [constraint("lodger_pkey", `"lodger_pkey"`, ["id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** house_id is a foreign key to public.house. */
  house: joinOn((lodger, house) => sql`${house}."id" = ${lodger}."house_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"house_id"`, pg("int4"))]),
  }),
};

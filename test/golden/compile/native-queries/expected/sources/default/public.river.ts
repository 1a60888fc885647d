// Generated: change the metadata, not this file.
// From   table public.river (source default)
// Slice  sha256:5729f16b

import { column, constraint, defineTable, joinOn, pg, sql } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.river. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  name: column("name", `"name"`, pg("text")),
};

/** Table public.river. */
export const river = defineTable({
  source: defaultSource,
  sql: `"public"."river"`,
  type: "river",
  displayName: "river",
  primaryKey: [columns.id],
  constraints: [constraint("river_pkey", `"river_pkey"`, ["id"])],
});

/** How its relationships join. */
export const joins = {
  /** Joined as the metadata says: id to river_id of native query readings_since. */
  readings: joinOn((river, readings_since) => sql`${readings_since}."river_id" = ${river}."id"`, {
    unique: false,
  }),
};

// Generated: change the metadata, not this file.
// From   table public.river (source default)
// Slice  sha256:ef5f5a0e

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

/** Join conditions of relationships. */
export const joins = {
  /** Joins id to river_id of native query readings_since, by manual configuration. */
  readings: joinOn((river, readings_since) => sql`${readings_since}."river_id" = ${river}."id"`, {
    unique: false,
  }),
};

// Generated: change the metadata, not this file.
// From   table public.region (source people)
// Slice  sha256:7649f942

import { column, constraint, defineTable, pg } from "engine/support";
import { people } from "./source.js";

/** Columns of public.region. */
export const columns = {
  country: column("country", `"country"`, pg("text")),
  name: column("name", `"name"`, pg("text")),
  taxes: column("taxes", `"taxes"`, pg("numeric"), { nullable: true }),
};

/** Table public.region. */
export const region = defineTable({
  source: people,
  sql: `"public"."region"`,
  type: "region",
  displayName: "region",
  primaryKey: [columns.country, columns.name],
  constraints: [constraint("region_pkey", `"region_pkey"`, ["country", "name"])],
});

// Generated: change the metadata, not this file.
// From   function public.rename_island (source default)
// Slice  sha256:50d90510

import { argument, defineFunction, pg, trackFunction } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.rename_island. */
export const rename_island = defineFunction({
  source: defaultSource,
  sql: `"public"."rename_island"`,
  displayName: "rename_island",
  arguments: [
    argument(pg("int4"), { field: "island_id", sql: `"island_id"` }),
    argument(pg("text"), { field: "new_name", sql: `"new_name"` }),
  ],
  returnsSet: true,
});

/** The function as root fields call it. */
export const tracked = trackFunction(rename_island, { type: "rename_island" });

// Generated: change the metadata, not this file.
// From   function public.seen_since (source default)
// Slice  sha256:beb88273

import { argument, defineFunction, pg, trackFunction } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.seen_since. */
export const seen_since = defineFunction({
  source: defaultSource,
  sql: `"public"."seen_since"`,
  displayName: "seen_since",
  arguments: [
    argument(pg("date"), { field: "firstDay", sql: `"first_day"` }),
    argument(pg("int4"), { field: "maxRows", sql: `"max_rows"`, hasDefault: true }),
  ],
  returnsSet: true,
});

/** The function as root fields call it. */
export const tracked = trackFunction(seen_since, { type: "SeenSince" });

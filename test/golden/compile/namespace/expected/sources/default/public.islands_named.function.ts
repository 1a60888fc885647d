// Generated: change the metadata, not this file.
// From   function public.islands_named (source default)
// Slice  sha256:42a23c00

import { argument, defineFunction, pg, trackFunction } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.islands_named. */
export const islands_named = defineFunction({
  source: defaultSource,
  sql: `"public"."islands_named"`,
  displayName: "islands_named",
  arguments: [argument(pg("text"), { field: "start", sql: `"start"` })],
  returnsSet: true,
});

/** The function as root fields call it. */
export const tracked = trackFunction(islands_named, { type: "islands_named" });

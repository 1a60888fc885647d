// Generated: change the metadata, not this file.
// From   function public.full_name (source default)
// Slice  sha256:29f6bd98

import { argument, defineFunction, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.full_name. */
export const full_name = defineFunction({
  source: defaultSource,
  sql: `"public"."full_name"`,
  displayName: "full_name",
  arguments: [argument(pg("author", { cast: "public.author", category: "composite" }))],
  returnsSet: false,
});

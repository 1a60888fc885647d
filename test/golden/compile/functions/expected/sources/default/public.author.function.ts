// Generated: change the metadata, not this file.
// From   function public.author (source default)
// Slice  sha256:c843e8c3

import { argument, defineFunction, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.author. */
export const author = defineFunction({
  source: defaultSource,
  sql: `"public"."author"`,
  displayName: "author",
  arguments: [argument(pg("article", { cast: "public.article", category: "composite" }))],
  returnsSet: false,
});

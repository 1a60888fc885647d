// Generated: change the metadata, not this file.
// From   function public.nicknames (source default)
// Slice  sha256:a9ce426f

import { argument, defineFunction, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.nicknames. */
export const nicknames = defineFunction({
  source: defaultSource,
  sql: `"public"."nicknames"`,
  displayName: "nicknames",
  arguments: [
    argument(pg("author", { cast: "public.author", category: "composite" }), {
      field: "author_row",
      sql: `"author_row"`,
    }),
  ],
  returnsSet: false,
});

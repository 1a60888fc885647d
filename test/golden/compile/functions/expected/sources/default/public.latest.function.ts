// Generated: change the metadata, not this file.
// From   function public.latest (source default)
// Slice  sha256:134dd794

import { argument, defineFunction, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.latest. */
export const latest = defineFunction({
  source: defaultSource,
  sql: `"public"."latest"`,
  displayName: "latest",
  arguments: [
    argument(pg("author", { cast: "public.author", category: "composite" }), {
      field: "author_row",
      sql: `"author_row"`,
    }),
  ],
  returnsSet: false,
});

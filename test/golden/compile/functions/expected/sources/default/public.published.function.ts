// Generated: change the metadata, not this file.
// From   function public.published (source default)
// Slice  sha256:69b41726

import { argument, defineFunction, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.published. */
export const published = defineFunction({
  source: defaultSource,
  sql: `"public"."published"`,
  displayName: "published",
  arguments: [
    argument(pg("author", { cast: "public.author", category: "composite" }), {
      field: "author_row",
      sql: `"author_row"`,
    }),
  ],
  returnsSet: true,
});

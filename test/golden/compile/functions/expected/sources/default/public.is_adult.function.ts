// Generated: change the metadata, not this file.
// From   function public.is_adult (source default)
// Slice  sha256:256cd60c

import { argument, defineFunction, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.is_adult. */
export const is_adult = defineFunction({
  source: defaultSource,
  sql: `"public"."is_adult"`,
  displayName: "is_adult",
  arguments: [
    argument(pg("author", { cast: "public.author", category: "composite" }), {
      field: "author_row",
      sql: `"author_row"`,
    }),
    argument(pg("json"), { field: "engine_session", sql: `"engine_session"` }),
  ],
  returnsSet: false,
});

// Generated: change the metadata, not this file.
// From   function public.age_in (source default)
// Slice  sha256:d9af6079

import { argument, defineFunction, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.age_in. */
export const age_in = defineFunction({
  source: defaultSource,
  sql: `"public"."age_in"`,
  displayName: "age_in",
  arguments: [
    argument(pg("int4"), { field: "year", sql: `"year"` }),
    argument(pg("author", { cast: "public.author", category: "composite" }), {
      field: "author_row",
      sql: `"author_row"`,
    }),
    argument(pg("json"), { field: "engine_session", sql: `"engine_session"` }),
  ],
  returnsSet: false,
});

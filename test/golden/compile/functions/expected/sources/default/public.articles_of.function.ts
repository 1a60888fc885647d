// Generated: change the metadata, not this file.
// From   function public.articles_of (source default)
// Slice  sha256:54429a83

import { argument, defineFunction, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.articles_of. */
export const articles_of = defineFunction({
  source: defaultSource,
  sql: `"public"."articles_of"`,
  displayName: "articles_of",
  arguments: [
    argument(pg("author", { cast: "public.author", category: "composite" }), {
      field: "author_row",
      sql: `"author_row"`,
    }),
    argument(pg("text"), { field: "search", sql: `"search"`, hasDefault: true }),
    argument(pg("int8"), { sql: `"most rows"`, hasDefault: true }),
  ],
  returnsSet: true,
});

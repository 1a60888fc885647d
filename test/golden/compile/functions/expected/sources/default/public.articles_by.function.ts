// Generated: change the metadata, not this file.
// From   function public.articles_by (source default)
// Slice  sha256:2bc31ec7

import { argument, defineFunction, pg, trackFunction } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.articles_by. */
export const articles_by = defineFunction({
  source: defaultSource,
  sql: `"public"."articles_by"`,
  displayName: "articles_by",
  arguments: [
    argument(pg("author", { cast: "public.author", category: "composite" }), {
      field: "author_row",
      sql: `"author_row"`,
    }),
  ],
  returnsSet: true,
});

/** The function as root fields call it. */
export const tracked = trackFunction(articles_by, { type: "articles_by" });

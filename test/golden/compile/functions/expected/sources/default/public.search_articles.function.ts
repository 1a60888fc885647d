// Generated: change the metadata, not this file.
// From   function public.search_articles (source default)
// Slice  sha256:d7534e9b

import { argument, defineFunction, pg, pgArray, trackFunction } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.search_articles. */
export const search_articles = defineFunction({
  source: defaultSource,
  sql: `"public"."search_articles"`,
  displayName: "search_articles",
  arguments: [
    argument(pg("text"), { field: "search", sql: `"search"` }),
    argument(pg("json"), { field: "engine_session", sql: `"engine_session"` }),
    argument(pg("text"), { hasDefault: true }),
    argument(pgArray(pg("int8")), { field: "words", sql: `"words"`, hasDefault: true }),
  ],
  returnsSet: true,
});

/** The function as root fields call it. */
export const tracked = trackFunction(search_articles, { type: "find", session: 1 });

// Generated: change the metadata, not this file.
// From   function public.search_books (source default)
// Slice  sha256:594404b0

import { argument, defineFunction, pg, trackFunction } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.search_books. */
export const search_books = defineFunction({
  source: defaultSource,
  sql: `"public"."search_books"`,
  displayName: "search_books",
  arguments: [argument(pg("text"), { field: "word", sql: `"word"` })],
  returnsSet: true,
});

/** The function as root fields call it. */
export const tracked = trackFunction(search_books, { type: "search_books" });

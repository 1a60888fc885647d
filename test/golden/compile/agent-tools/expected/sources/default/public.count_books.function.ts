// Generated: change the metadata, not this file.
// From   function public.count_books (source default)
// Slice  sha256:b9e28315

import { argument, defineFunction, pg, trackFunction } from "engine/support";
import { defaultSource } from "./source.js";

/** Function public.count_books. */
export const count_books = defineFunction({
  source: defaultSource,
  sql: `"public"."count_books"`,
  displayName: "count_books",
  arguments: [argument(pg("text"), { field: "word", sql: `"word"` })],
  returnsSet: true,
});

/** The function as root fields call it. */
export const tracked = trackFunction(count_books, { type: "count_books" });

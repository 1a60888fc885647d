// Generated: change the metadata, not this file.
// From   REST endpoint Find books
// Slice  sha256:fa2d5e1a

import { restEndpoint } from "engine/support";
import { operation } from "../operations/desk.find_books.js";

/**
 * GET, POST /api/rest/books: query find_books of collection desk.
 * Books whose title is like a pattern, `%` for anything.
 */
export const endpoint = restEndpoint({
  name: "Find books",
  path: "books",
  methods: ["GET", "POST"],
  comment: "Books whose title is like a pattern, `%` for anything.",
  operation,
});

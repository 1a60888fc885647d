// Generated: change the metadata, not this file.
// From   REST endpoint Book
// Slice  sha256:071389e0

import { restEndpoint } from "engine/support";
import { operation } from "../operations/desk.book.js";

/** GET /api/rest/books/:id: query book of collection desk. */
export const endpoint = restEndpoint({
  name: "Book",
  path: "books/:id",
  methods: ["GET"],
  operation,
});

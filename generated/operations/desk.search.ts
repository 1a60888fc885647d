// Generated: change the metadata, not this file.
// From   query search of collection desk
// Slice  sha256:c04c1fb7

import { savedOperation, variable } from "engine/support";

/** Saved query search. */
export const operation = savedOperation({
  collection: "desk",
  name: "search",
  operationName: "Search",
  kind: "query",
  text: `query Search($where: book_bool_exp!) {
  book(where: $where, order_by: [{title: asc}]) {
    id
    title
  }
}`,
  variables: { where: variable("book_bool_exp!") },
});

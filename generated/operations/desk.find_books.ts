// Generated: change the metadata, not this file.
// From   query find_books of collection desk
// Slice  sha256:0a97e348

import { savedOperation, variable } from "engine/support";

/** Saved query find_books. */
export const operation = savedOperation({
  collection: "desk",
  name: "find_books",
  operationName: "FindBooks",
  kind: "query",
  text: `query FindBooks($title: String!, $limit: Int = 10) {
  book(where: {title: {_ilike: $title}}, order_by: [{title: asc}], limit: $limit) {
    id
    title
    genres
  }
}`,
  variables: { title: variable("String!"), limit: variable("Int", { default: 10 }) },
});

// Generated: change the metadata, not this file.
// From   query book of collection desk
// Slice  sha256:c08c50dd

import { savedOperation, variable } from "engine/support";

/** Saved query book. */
export const operation = savedOperation({
  collection: "desk",
  name: "book",
  operationName: "Book",
  kind: "query",
  text: `query Book($id: Int!, $withReviews: Boolean = false) {
  book_by_pk(id: $id) {
    title
    author { name }
    reviews(order_by: [{stars: desc}]) @include(if: $withReviews) { stars comment }
  }
}`,
  variables: { id: variable("Int!"), withReviews: variable("Boolean", { default: false }) },
});

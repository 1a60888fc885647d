// Generated: change the metadata, not this file.
// From   query put of collection app
// Slice  sha256:0c9f39d0

import { savedOperation, variable } from "engine/support";

/** Saved mutation put. */
export const operation = savedOperation({
  collection: "app",
  name: "put",
  operationName: "Put",
  kind: "mutation",
  text: `mutation Put($title: String!, $weight: Int!) { insert_book_one(object: {title: $title, weight: $weight}, if_matched: {match_columns: [title], update_columns: [weight]}) { id } }`,
  variables: { title: variable("String!"), weight: variable("Int!") },
});

// Generated: change the metadata, not this file.
// From   query put of collection app
// Slice  sha256:b28bf5d0

import { savedOperation, variable } from "engine/support";

/** Saved mutation put. */
export const operation = savedOperation({
  collection: "app",
  name: "put",
  operationName: "Put",
  kind: "mutation",
  text: `mutation Put($title: String!) { insert_book_one(object: {title: $title}, on_conflict: {constraint: book_title_key, update_columns: [title]}) { id } }`,
  variables: { title: variable("String!") },
});

// Generated: change the metadata, not this file.
// From   query add of collection app
// Slice  sha256:b5268373

import { savedOperation, variable } from "engine/support";

/** Saved mutation add. */
export const operation = savedOperation({
  collection: "app",
  name: "add",
  operationName: "Add",
  kind: "mutation",
  text: `mutation Add($objects: [book_insert_input!]!) { insert_book(objects: $objects) { affected_rows } }`,
  variables: { objects: variable("[book_insert_input!]!") },
});

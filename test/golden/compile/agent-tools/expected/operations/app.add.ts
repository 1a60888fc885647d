// Generated: change the metadata, not this file.
// From   query add of collection app
// Slice  sha256:dda1e467

import { savedOperation, variable } from "engine/support";

/** Saved mutation add. */
export const operation = savedOperation({
  collection: "app",
  name: "add",
  operationName: "Add",
  kind: "mutation",
  text: `mutation Add($object: book_insert_input!) { insert_book_one(object: $object) { id } }`,
  variables: { object: variable("book_insert_input!") },
});

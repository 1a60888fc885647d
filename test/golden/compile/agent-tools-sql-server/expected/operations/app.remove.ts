// Generated: change the metadata, not this file.
// From   query remove of collection app
// Slice  sha256:f71c56ea

import { savedOperation, variable } from "engine/support";

/** Saved mutation remove. */
export const operation = savedOperation({
  collection: "app",
  name: "remove",
  operationName: "Remove",
  kind: "mutation",
  text: `mutation Remove($id: Int!) { delete_book_by_pk(id: $id) { id } }`,
  variables: { id: variable("Int!") },
});

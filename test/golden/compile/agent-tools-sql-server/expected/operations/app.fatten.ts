// Generated: change the metadata, not this file.
// From   query fatten of collection app
// Slice  sha256:286b6378

import { savedOperation, variable } from "engine/support";

/** Saved mutation fatten. */
export const operation = savedOperation({
  collection: "app",
  name: "fatten",
  operationName: "Fatten",
  kind: "mutation",
  text: `mutation Fatten($id: Int!) { update_book_by_pk(pk_columns: {id: $id}, _inc: {weight: 1}) { id } }`,
  variables: { id: variable("Int!") },
});

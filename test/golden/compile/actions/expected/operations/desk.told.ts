// Generated: change the metadata, not this file.
// From   query told of collection desk
// Slice  sha256:2ced94de

import { savedOperation, variable } from "engine/support";

/** Saved query told. */
export const operation = savedOperation({
  collection: "desk",
  name: "told",
  kind: "query",
  text: `query ($id: uuid!) { later(id: $id) { errors output { city } } }`,
  variables: { id: variable("uuid!") },
});

// Generated: change the metadata, not this file.
// From   query ask of collection desk
// Slice  sha256:666816d4

import { savedOperation, variable } from "engine/support";

/** Saved mutation ask. */
export const operation = savedOperation({
  collection: "desk",
  name: "ask",
  kind: "mutation",
  text: `mutation ($id: uuid!) { later(id: $id) }`,
  variables: { id: variable("uuid!") },
});

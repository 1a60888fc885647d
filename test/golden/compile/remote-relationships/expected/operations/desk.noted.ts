// Generated: change the metadata, not this file.
// From   query noted of collection desk
// Slice  sha256:39fbf1ae

import { savedOperation, variable } from "engine/support";

/** Saved query noted. */
export const operation = savedOperation({
  collection: "desk",
  name: "noted",
  operationName: "Noted",
  kind: "query",
  text: `query Noted($with: With) { orders { labelled(with: $with) { id } } }`,
  variables: { with: variable("With") },
});

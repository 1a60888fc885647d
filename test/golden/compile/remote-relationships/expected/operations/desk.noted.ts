// Generated: change the metadata, not this file.
// From   query noted of collection desk
// Slice  sha256:95ab963b

import { savedOperation, variable } from "engine/support";

/** Saved query noted. */
export const operation = savedOperation({
  collection: "desk",
  name: "noted",
  operationName: "Noted",
  kind: "query",
  text: `query Noted($with: With_remote_rel_orderslabelled = {note: "none"}) { orders { labelled(with: $with) { id } } }`,
  variables: { with: variable("With_remote_rel_orderslabelled", { default: { note: "none" } }) },
});

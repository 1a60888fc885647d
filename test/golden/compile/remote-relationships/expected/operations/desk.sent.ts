// Generated: change the metadata, not this file.
// From   query sent of collection desk
// Slice  sha256:b8ccb272

import { savedOperation, variable } from "engine/support";

/** Saved query sent. */
export const operation = savedOperation({
  collection: "desk",
  name: "sent",
  operationName: "Sent",
  kind: "query",
  text: `query Sent($id: ID!, $with: With) { parcel(id: $id, with: $with) { weight order { id } returned { id } } }`,
  variables: { id: variable("ID!"), with: variable("With") },
});

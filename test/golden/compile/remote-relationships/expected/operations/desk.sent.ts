// Generated: change the metadata, not this file.
// From   query sent of collection desk
// Slice  sha256:16a85a56

import { savedOperation, variable } from "engine/support";

/** Saved query sent. */
export const operation = savedOperation({
  collection: "desk",
  name: "sent",
  operationName: "Sent",
  kind: "query",
  text: `query Sent($id: ID!, $with: With) { parcel(id: $id, with: $with) { weight order { id } } }`,
  variables: { id: variable("ID!"), with: variable("With") },
});

// Generated: change the metadata, not this file.
// From   query orders of collection desk
// Slice  sha256:f8c45729

import { savedOperation, variable } from "engine/support";

/** Saved query orders. */
export const operation = savedOperation({
  collection: "desk",
  name: "orders",
  operationName: "Orders",
  kind: "query",
  text: `query Orders($most: Int!) { orders { id customer { name orders(limit: $most) { id } } } }`,
  variables: { most: variable("Int!") },
});

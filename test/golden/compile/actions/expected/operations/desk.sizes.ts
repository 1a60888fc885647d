// Generated: change the metadata, not this file.
// From   query sizes of collection desk
// Slice  sha256:f6193fb9

import { savedOperation } from "engine/support";

/** Saved query sizes. */
export const operation = savedOperation({
  collection: "desk",
  name: "sizes",
  kind: "query",
  text: `{ sizes }`,
  variables: {},
});

// Generated: change the metadata, not this file.
// From   action later
// Slice  sha256:63216553

import { defineAction } from "engine/support";
import { types } from "./types.js";

/** Action later. */
export const action = defineAction("later", types, {
  type: "mutation",
  asynchronous: true,
  field: "later: Address",
  handler: { url: "{{CHECK_PATH}}/later", timeoutSeconds: 30 },
});

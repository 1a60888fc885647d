// Generated: change the metadata, not this file.
// From   action sizes
// Slice  sha256:2e956977

import { defineAction } from "engine/support";
import { types } from "./types.js";

/** Action sizes. */
export const action = defineAction("sizes", types, {
  type: "query",
  field: "sizes: [Size!]",
  handler: { url: "{{CHECK_PATH}}/sizes", timeoutSeconds: 30 },
});

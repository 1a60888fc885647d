// Generated: change the metadata, not this file.
// From   action pack
// Slice  sha256:f951ddcd

import { defineAction } from "engine/support";
import { types } from "./types.js";

/** Action pack. */
export const action = defineAction("pack", types, {
  type: "query",
  field: "pack: Packed!",
  handler: { url: "https://pack.example", timeoutSeconds: 30 },
});

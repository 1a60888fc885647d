// Generated: change the metadata, not this file.
// From   role auditor: Relay API
// Slice  sha256:ca47d9cd

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { note } from "./default/public.note.js";

/** What role auditor may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({
  query: {},
  subscription: {
    node: selectNode({ default: { public: { note: () => note } } }),
    note_connection: selectConnection(() => note),
  },
});

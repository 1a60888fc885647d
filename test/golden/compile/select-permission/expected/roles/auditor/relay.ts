// Generated: change the metadata, not this file.
// From   role auditor: Relay API
// Slice  sha256:7fd56b00

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { note } from "./default/public.note.js";
import { tables } from "./tables.js";

/** Root fields of the Relay API for role auditor, except mutations. */
export const relay = defineRelay({
  query: {},
  subscription: { node: selectNode(tables), note_connection: selectConnection(() => note) },
});

// Generated: change the metadata, not this file.
// From   role visitor: Relay API
// Slice  sha256:741a1f19

import { defineRelay } from "engine/support";

/** Root fields of the Relay API for role visitor, except mutations. */
export const relay = defineRelay({ query: {}, subscription: {} });

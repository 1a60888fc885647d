// Generated: change the metadata, not this file.
// From   role visitor: Relay API
// Slice  sha256:741a1f19

import { defineRelay } from "engine/support";

/** What role visitor may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: {}, subscription: {} });

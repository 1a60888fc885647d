// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:a0fde42c

import { defineRelay } from "engine/support";

/** What role admin may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: {}, subscription: {} });

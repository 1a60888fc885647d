// Generated: change the metadata, not this file.
// From   role guest: Relay API
// Slice  sha256:3785802e

import { defineRelay } from "engine/support";

/** What role guest may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: {}, subscription: {} });

// Generated: change the metadata, not this file.
// From   a role that the metadata does not name: Relay API
// Slice  sha256:fb262c44

import { defineRelay } from "engine/support";

/** What a role that the metadata does not name may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: {}, subscription: {} });

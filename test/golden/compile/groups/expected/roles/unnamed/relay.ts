// Generated: change the metadata, not this file.
// From   roles that the metadata does not name: Relay API
// Slice  sha256:fb262c44

import { defineRelay } from "engine/support";

/** Root fields of the Relay API for roles that the metadata does not name, except mutations. */
export const relay = defineRelay({ query: {}, subscription: {} });

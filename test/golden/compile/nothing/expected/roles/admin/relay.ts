// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:a0fde42c

import { defineRelay } from "engine/support";

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: {}, subscription: {} });

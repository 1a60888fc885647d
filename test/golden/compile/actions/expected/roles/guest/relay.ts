// Generated: change the metadata, not this file.
// From   role guest: Relay API
// Slice  sha256:3785802e

import { defineRelay } from "engine/support";

/** Root fields of the Relay API for role guest, except mutations. */
export const relay = defineRelay({ query: {}, subscription: {} });

// Generated: change the metadata, not this file.
// From   role importer: Relay API
// Slice  sha256:f0bc4e05

import { defineRelay } from "engine/support";

/** Root fields of the Relay API for role importer, except mutations. */
export const relay = defineRelay({ query: {}, subscription: {} });

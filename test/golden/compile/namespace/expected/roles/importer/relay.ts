// Generated: change the metadata, not this file.
// From   role importer: Relay API
// Slice  sha256:f0bc4e05

import { defineRelay } from "engine/support";

/** What role importer may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: {}, subscription: {} });

// Generated: change the metadata, not this file.
// From   role auditor: Relay API
// Slice  sha256:7f966cf4

import { defineRelay } from "engine/support";

/** Root fields of the Relay API for role auditor, except mutations. */
export const relay = defineRelay({ query: {}, subscription: {} });

// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:9999b2a1

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { sample } from "./default/public.sample.js";

/** Fields of queries and of subscriptions. */
const roots = {
  node: selectNode({ default: { public: { sample: () => sample } } }),
  sample_connection: selectConnection(() => sample),
};

/** What role admin may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });

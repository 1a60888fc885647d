// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:b792e23a

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { river } from "./default/public.river.js";

/** Fields of queries and of subscriptions. */
const roots = {
  node: selectNode({ default: { public: { river: () => river } } }),
  river_connection: selectConnection(() => river),
};

/** What role admin may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });

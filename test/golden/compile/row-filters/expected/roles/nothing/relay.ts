// Generated: change the metadata, not this file.
// From   role nothing: Relay API
// Slice  sha256:47da56bf

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { purchase } from "./default/public.purchase.js";

/** Fields of queries and of subscriptions. */
const roots = {
  node: selectNode({ default: { public: { purchase: () => purchase } } }),
  purchase_connection: selectConnection(() => purchase),
};

/** What role nothing may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });

// Generated: change the metadata, not this file.
// From   role clerk: Relay API
// Slice  sha256:26e33045

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { invoice } from "./default/public.invoice.js";

/** Fields of queries and of subscriptions. */
const roots = {
  invoice_connection: selectConnection(() => invoice),
  node: selectNode({ default: { public: { invoice: () => invoice } } }),
};

/** What role clerk may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });

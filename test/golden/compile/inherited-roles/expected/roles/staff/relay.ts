// Generated: change the metadata, not this file.
// From   role staff: Relay API
// Slice  sha256:b4550381

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { house } from "./default/public.house.js";
import { lodger } from "./default/public.lodger.js";

/** Fields of queries and of subscriptions. */
const roots = {
  house_connection: selectConnection(() => house),
  lodger_connection: selectConnection(() => lodger),
  node: selectNode({ default: { public: { house: () => house, lodger: () => lodger } } }),
};

/** What role staff may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });

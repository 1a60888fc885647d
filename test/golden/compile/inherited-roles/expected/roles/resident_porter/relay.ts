// Generated: change the metadata, not this file.
// From   role resident_porter: Relay API
// Slice  sha256:6db18d5e

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { house } from "./default/public.house.js";
import { lodger } from "./default/public.lodger.js";
import { tables } from "./tables.js";

/** Fields of queries and of subscriptions. */
const roots = {
  house_connection: selectConnection(() => house),
  lodger_connection: selectConnection(() => lodger),
  node: selectNode(tables),
};

/** What role resident_porter may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });

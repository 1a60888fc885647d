// Generated: change the metadata, not this file.
// From   role visitor: Relay API
// Slice  sha256:4a6425c3

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { orders } from "./shop/public.orders.js";
import { tables } from "./tables.js";

/** Fields of queries and of subscriptions. */
const roots = { node: selectNode(tables), orders_connection: selectConnection(() => orders) };

/** What role visitor may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });

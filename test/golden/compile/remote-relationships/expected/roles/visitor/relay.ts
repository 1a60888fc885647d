// Generated: change the metadata, not this file.
// From   role visitor: Relay API
// Slice  sha256:4a6425c3

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { orders } from "./shop/public.orders.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { node: selectNode(tables), orders_connection: selectConnection(() => orders) };

/** Root fields of the Relay API for role visitor, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });

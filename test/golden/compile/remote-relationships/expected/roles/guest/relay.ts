// Generated: change the metadata, not this file.
// From   role guest: Relay API
// Slice  sha256:03a5c9af

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { orders } from "./shop/public.orders.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = { node: selectNode(tables), orders_connection: selectConnection(() => orders) };

/** Root fields of the Relay API for role guest, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });

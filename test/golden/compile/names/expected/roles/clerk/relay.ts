// Generated: change the metadata, not this file.
// From   role clerk: Relay API
// Slice  sha256:496ce6d8

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { order } from "./main-shop+21/shop+1.order.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  my_Shop_order_connection_now: selectConnection(() => order),
  node: selectNode(tables),
};

/** Root fields of the Relay API for role clerk, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });

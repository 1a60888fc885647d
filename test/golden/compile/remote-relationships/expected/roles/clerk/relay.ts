// Generated: change the metadata, not this file.
// From   role clerk: Relay API
// Slice  sha256:65dab248

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { customer } from "./people/public.customer.js";
import { region } from "./people/public.region.js";
import { orders } from "./shop/public.orders.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  customer_connection: selectConnection(() => customer),
  node: selectNode(tables),
  orders_connection: selectConnection(() => orders),
  region_connection: selectConnection(() => region),
};

/** Root fields of the Relay API for role clerk, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });

// Generated: change the metadata, not this file.
// From   role admin: Relay API
// Slice  sha256:78d8c1b3

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { a__$_b_____ } from "./main-shop+21/public.a----b-----++-60-24-7b-7d-60--2a-2f.js";
import { columns_ } from "./main-shop+21/public.columns.js";
import { Order } from "./main-shop+21/shop+1.order+1.js";
import { order } from "./main-shop+21/shop+1.order.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const roots = {
  my_Shop_order_connection_now: selectConnection(() => order),
  my_big_order_connection_now: selectConnection(() => Order),
  my_columns_connection_now: selectConnection(() => columns_),
  my_odd_connection_now: selectConnection(() => a__$_b_____),
  node: selectNode(tables),
};

/** Root fields of the Relay API for role admin, except mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });

// Generated: change the metadata, not this file.
// From   role Clerk: Relay API
// Slice  sha256:59473703

import { defineRelay, selectConnection, selectNode } from "engine/support";
import { Order } from "./+main=20=+shop/+shop.+order.js";
import { order } from "./+main=20=+shop/+shop.order.js";
import { a__$_b_____ } from "./+main=20=+shop/public.a=20==60==24==7b=b=7d==60==20==2a==2f=.js";
import { columns_ } from "./+main=20=+shop/public.columns.js";
import { tables } from "./tables.js";

/** Fields of queries and of subscriptions. */
const roots = {
  my_Shop_order_connection_now: selectConnection(() => order),
  my_big_order_connection_now: selectConnection(() => Order),
  my_columns_connection_now: selectConnection(() => columns_),
  my_odd_connection_now: selectConnection(() => a__$_b_____),
  node: selectNode(tables),
};

/** What role Clerk may ask of the Relay API, besides its mutations. */
export const relay = defineRelay({ query: roots, subscription: roots });

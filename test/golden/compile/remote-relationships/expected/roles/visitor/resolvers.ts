// Generated: change the metadata, not this file.
// From   role visitor
// Slice  sha256:0114aa0a

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { orders } from "./shop/public.orders.js";
import { tables } from "./tables.js";

/** Fields of queries and of subscriptions. */
const query = { orders: selectMany(() => orders), orders_by_pk: selectByPk(() => orders) };

/** What role visitor may ask. */
export const role = defineRole({
  role: "visitor",
  query,
  subscription: { ...query, orders_stream: streamRows(() => orders) },
  tables: () => tables,
});

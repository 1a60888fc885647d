// Generated: change the metadata, not this file.
// From   role clerk
// Slice  sha256:e21dff1b

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { order } from "./main-shop+21/shop+1.order.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  my_order_now: selectByPk(() => order, { description: "One order." }),
  my_orders_now: selectMany(() => order),
};

/** Root fields of role clerk. */
export const role = defineRole({
  role: "clerk",
  query,
  subscription: { ...query, my_Shop_order_stream_now: streamRows(() => order) },
  tables: () => tables,
});

// Generated: change the metadata, not this file.
// From   role guest
// Slice  sha256:4be7f7e2

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { orders } from "./shop/public.orders.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { orders: selectMany(() => orders), orders_by_pk: selectByPk(() => orders) };

/** Root fields of role guest. */
export const role = defineRole({
  role: "guest",
  query,
  subscription: { ...query, orders_stream: streamRows(() => orders) },
  tables: () => tables,
});

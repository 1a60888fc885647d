// Generated: change the metadata, not this file.
// From   role visitor
// Slice  sha256:63d253a7

import { defineRole, remoteField, selectByPk, selectMany, streamRows } from "engine/support";
import { remote as post } from "./remotes/post.js";
import { orders } from "./shop/public.orders.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const fields = { orders: selectMany(() => orders), orders_by_pk: selectByPk(() => orders) };

/** Root fields of role visitor. */
export const role = defineRole({
  role: "visitor",
  query: { ...fields, _entities: remoteField(() => post) },
  subscription: { ...fields, orders_stream: streamRows(() => orders) },
  tables: () => tables,
});

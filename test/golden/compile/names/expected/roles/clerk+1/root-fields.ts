// Generated: change the metadata, not this file.
// From   role Clerk
// Slice  sha256:08b9e659

import { defineRole, selectByPk, selectMany, streamRows } from "engine/support";
import { a__$_b_____ } from "./main-shop+21/public.a----b-----++-60-24-7b-7d-60--2a-2f.js";
import { columns_ } from "./main-shop+21/public.columns.js";
import { Order } from "./main-shop+21/shop+1.order+1.js";
import { order } from "./main-shop+21/shop+1.order.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  my_big_order_by_pk_now: selectByPk(() => Order),
  my_big_order_now: selectMany(() => Order),
  my_columns_by_pk_now: selectByPk(() => columns_),
  my_columns_now: selectMany(() => columns_),
  my_odd_by_pk_now: selectByPk(() => a__$_b_____),
  my_odd_now: selectMany(() => a__$_b_____),
  my_order_now: selectByPk(() => order, { description: "One order." }),
  my_orders_now: selectMany(() => order),
};

/** Root fields of role Clerk. */
export const role = defineRole({
  role: "Clerk",
  query,
  subscription: {
    ...query,
    my_Shop_order_stream_now: streamRows(() => order),
    my_big_order_stream_now: streamRows(() => Order),
    my_columns_stream_now: streamRows(() => columns_),
    my_odd_stream_now: streamRows(() => a__$_b_____),
  },
  tables: () => tables,
});

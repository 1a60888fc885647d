// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:2d6e2d85

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { a__$_b_____ } from "./main-shop+21/public.a----b-----++-60-24-7b-7d-60--2a-2f.js";
import { columns_ } from "./main-shop+21/public.columns.js";
import { Order } from "./main-shop+21/shop+1.order+1.js";
import { order } from "./main-shop+21/shop+1.order.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  my_Shop_order_aggregate_now: selectAggregate(() => order, { description: "" }),
  my_Shop_order_group_now: selectGroups(() => order),
  my_big_order_aggregate_now: selectAggregate(() => Order),
  my_big_order_by_pk_now: selectByPk(() => Order),
  my_big_order_group_now: selectGroups(() => Order),
  my_big_order_now: selectMany(() => Order),
  my_columns_aggregate_now: selectAggregate(() => columns_),
  my_columns_by_pk_now: selectByPk(() => columns_),
  my_columns_group_now: selectGroups(() => columns_),
  my_columns_now: selectMany(() => columns_),
  my_odd_aggregate_now: selectAggregate(() => a__$_b_____),
  my_odd_by_pk_now: selectByPk(() => a__$_b_____),
  my_odd_group_now: selectGroups(() => a__$_b_____),
  my_odd_now: selectMany(() => a__$_b_____),
  my_order_now: selectByPk(() => order, { description: "One order." }),
  my_orders_now: selectMany(() => order),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: {
    ...query,
    my_Shop_order_stream_now: streamRows(() => order),
    my_big_order_stream_now: streamRows(() => Order),
    my_columns_stream_now: streamRows(() => columns_),
    my_odd_stream_now: streamRows(() => a__$_b_____),
  },
  mutation: {
    my_delete_Shop_order_by_pk_now: deleteByPk(() => order),
    my_delete_Shop_order_now: deleteRows(() => order),
    my_delete_big_order_by_pk_now: deleteByPk(() => Order),
    my_delete_big_order_now: deleteRows(() => Order),
    my_delete_columns_by_pk_now: deleteByPk(() => columns_),
    my_delete_columns_now: deleteRows(() => columns_),
    my_delete_odd_by_pk_now: deleteByPk(() => a__$_b_____),
    my_delete_odd_now: deleteRows(() => a__$_b_____),
    my_insert_Shop_order_now: insertRows(() => order),
    my_insert_Shop_order_one_now: insertRow(() => order),
    my_insert_big_order_now: insertRows(() => Order),
    my_insert_big_order_one_now: insertRow(() => Order),
    my_insert_columns_now: insertRows(() => columns_),
    my_insert_columns_one_now: insertRow(() => columns_),
    my_insert_odd_now: insertRows(() => a__$_b_____),
    my_insert_odd_one_now: insertRow(() => a__$_b_____),
    my_update_Shop_order_by_pk_now: updateByPk(() => order),
    my_update_Shop_order_many_now: updateMany(() => order),
    my_update_Shop_order_now: updateRows(() => order),
    my_update_big_order_by_pk_now: updateByPk(() => Order),
    my_update_big_order_many_now: updateMany(() => Order),
    my_update_big_order_now: updateRows(() => Order),
    my_update_columns_by_pk_now: updateByPk(() => columns_),
    my_update_columns_many_now: updateMany(() => columns_),
    my_update_columns_now: updateRows(() => columns_),
    my_update_odd_by_pk_now: updateByPk(() => a__$_b_____),
    my_update_odd_many_now: updateMany(() => a__$_b_____),
    my_update_odd_now: updateRows(() => a__$_b_____),
  },
  tables: () => tables,
});

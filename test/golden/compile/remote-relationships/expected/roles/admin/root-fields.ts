// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:9202393e

import {
  callAction,
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  remoteField,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { action as pack } from "../../actions/pack.js";
import { relationships as PackedRelationships } from "./actions/packed+1.relationships.js";
import { customer } from "./people/public.customer.js";
import { region } from "./people/public.region.js";
import { remote as post } from "./remotes/post.js";
import { orders } from "./shop/public.orders.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const fields = {
  customer: selectMany(() => customer),
  customer_aggregate: selectAggregate(() => customer),
  customer_by_pk: selectByPk(() => customer),
  customer_group: selectGroups(() => customer),
  orders: selectMany(() => orders),
  orders_aggregate: selectAggregate(() => orders),
  orders_by_pk: selectByPk(() => orders),
  orders_group: selectGroups(() => orders),
  region: selectMany(() => region),
  region_aggregate: selectAggregate(() => region),
  region_by_pk: selectByPk(() => region),
  region_group: selectGroups(() => region),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query: {
    ...fields,
    _entities: remoteField(() => post),
    /** pack: Packed! by https://pack.example */
    pack: callAction(() => pack, {}, { Packed: () => PackedRelationships }),
    parcel: remoteField(() => post),
    parcels: remoteField(() => post),
  },
  subscription: {
    ...fields,
    customer_stream: streamRows(() => customer),
    orders_stream: streamRows(() => orders),
    region_stream: streamRows(() => region),
  },
  mutation: {
    delete_customer: deleteRows(() => customer),
    delete_customer_by_pk: deleteByPk(() => customer),
    delete_orders: deleteRows(() => orders),
    delete_orders_by_pk: deleteByPk(() => orders),
    delete_region: deleteRows(() => region),
    delete_region_by_pk: deleteByPk(() => region),
    insert_customer: insertRows(() => customer),
    insert_customer_one: insertRow(() => customer),
    insert_orders: insertRows(() => orders),
    insert_orders_one: insertRow(() => orders),
    insert_region: insertRows(() => region),
    insert_region_one: insertRow(() => region),
    update_customer: updateRows(() => customer),
    update_customer_by_pk: updateByPk(() => customer),
    update_customer_many: updateMany(() => customer),
    update_orders: updateRows(() => orders),
    update_orders_by_pk: updateByPk(() => orders),
    update_orders_many: updateMany(() => orders),
    update_region: updateRows(() => region),
    update_region_by_pk: updateByPk(() => region),
    update_region_many: updateMany(() => region),
  },
  tables: () => tables,
});

// Generated: change the metadata, not this file.
// From   role clerk
// Slice  sha256:8bd32def

import {
  callAction,
  defineRole,
  remoteField,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  streamRows,
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
  customer_group: selectGroups(() => customer),
  orders: selectMany(() => orders),
  orders_by_pk: selectByPk(() => orders),
  region: selectMany(() => region),
  region_aggregate: selectAggregate(() => region),
  region_by_pk: selectByPk(() => region),
  region_group: selectGroups(() => region),
};

/** Root fields of role clerk. */
export const role = defineRole({
  role: "clerk",
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
  tables: () => tables,
});

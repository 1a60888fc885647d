// Generated: change the metadata, not this file.
// From   custom type Packed; role clerk
// Slice  sha256:1a4fa16b

import {
  type RemoteRelationships,
  joinColumn,
  joinKey,
  pg,
  toRemoteSchema,
  toSourceRow,
} from "engine/support";
import { remote as post } from "../(remotes)/post.js";
import { orders } from "../shop/public.orders.js";

/** What role clerk may join to Packed. */
export const relationships: RemoteRelationships = {
  /** Joined as the metadata says: order_id to id of public.orders (source shop). */
  order: toSourceRow([joinColumn(joinKey("order_id"), `"id"`, pg("int4"))], () => orders, {
    unique: true,
  }),
  /** Joined as the metadata says: to parcel of remote schema post. */
  parcel: toRemoteSchema([joinKey("order_id")], () => post, [
    { field: "parcel", arguments: { id: "$order_id" } },
  ]),
};

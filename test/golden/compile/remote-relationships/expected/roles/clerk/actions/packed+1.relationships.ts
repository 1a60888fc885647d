// Generated: change the metadata, not this file.
// From   custom type Packed; role clerk
// Slice  sha256:de9109f4

import {
  type RemoteRelationships,
  joinColumn,
  joinKey,
  pg,
  toRemoteSchema,
  toSourceRow,
} from "engine/support";
import { remote as post } from "../remotes/post.js";
import { orders } from "../shop/public.orders.js";

/** Remote relationships of Packed for role clerk. */
export const relationships: RemoteRelationships = {
  /** Joins order_id to id of public.orders (source shop). */
  order: toSourceRow([joinColumn(joinKey("order_id"), `"id"`, pg("int4"))], () => orders, {
    unique: true,
  }),
  /** Joins field parcel of remote schema post. */
  parcel: toRemoteSchema([joinKey("order_id")], () => post, [
    { field: "parcel", arguments: { id: "$order_id" } },
  ]),
};

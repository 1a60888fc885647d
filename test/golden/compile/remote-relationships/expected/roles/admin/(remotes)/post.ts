// Generated: change the metadata, not this file.
// From   remote schema post; role admin
// Slice  sha256:6af63808

import {
  joinColumn,
  joinKey,
  pg,
  toRemoteSchema,
  toSourceRow,
  withRelationships,
} from "engine/support";
import { remote as whole } from "../../../remotes/post/schema.js";
import { orders } from "../shop/public.orders.js";

/** All that remote schema post offers, and what role admin may join to it. */
export const remote = withRelationships(whole, {
  Parcel: {
    /** Joined as the metadata says: id to id of public.orders (source shop). */
    order: toSourceRow([joinColumn(joinKey("id"), `"id"`, pg("int4"))], () => orders, {
      unique: true,
    }),
    /** Joined as the metadata says: to parcel of remote schema post. */
    returned: toRemoteSchema([joinKey("id")], () => remote, [
      { field: "parcel", arguments: { id: "$id" } },
    ]),
  },
});

// Generated: change the metadata, not this file.
// From   remote schema post; role admin
// Slice  sha256:998e84c1

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

/** Remote schema post, complete, with the remote relationships of role admin. */
export const remote = withRelationships(whole, {
  Parcel: {
    /** Joins id to id of public.orders (source shop). */
    order: toSourceRow([joinColumn(joinKey("id"), `"id"`, pg("int4"))], () => orders, {
      unique: true,
    }),
    /** Joins field parcel of remote schema post. */
    returned: toRemoteSchema([joinKey("id")], () => remote, [
      { field: "parcel", arguments: { id: "$id" } },
    ]),
  },
});

// Generated: change the metadata, not this file.
// From   remote schema post; role visitor
// Slice  sha256:d3c55f97

import { joinColumn, joinKey, pg, remoteSchema, toSourceRow } from "engine/support";
import { server } from "../../../remotes/post/server.js";
import { orders } from "../shop/public.orders.js";

/** The part of remote schema post that role visitor sees. */
export const remote = remoteSchema(server, {
  query: "Query",
  isPart: true,
  relationships: {
    Parcel: {
      /** Joins id to id of public.orders (source shop). */
      order: toSourceRow([joinColumn(joinKey("id"), `"id"`, pg("int4"))], () => orders, {
        unique: true,
      }),
    },
  },
  types: `
type Parcel {
  id: ID!
}

type Query {
  _entities(representations: [_Any!]!): [_Entity]!
}

scalar _Any

union _Entity = Parcel
`,
});

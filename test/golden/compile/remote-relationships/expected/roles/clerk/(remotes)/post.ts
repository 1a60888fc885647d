// Generated: change the metadata, not this file.
// From   remote schema post; role clerk
// Slice  sha256:8aa2598d

import { joinColumn, joinKey, pg, remoteSchema, toSourceRow } from "engine/support";
import { server } from "../../../remotes/post/server.js";
import { orders } from "../shop/public.orders.js";

/** What role clerk may ask of remote schema post. */
export const remote = remoteSchema(server, {
  query: "Query",
  isPart: true,
  relationships: {
    Parcel: {
      /** Joined as the metadata says: id to id of public.orders (source shop). */
      order: toSourceRow([joinColumn(joinKey("id"), `"id"`, pg("int4"))], () => orders, {
        unique: true,
      }),
    },
  },
  types: `
type Parcel {
  id: ID!
  weight: Int
}

type Query {
  parcel(id: ID!, with: With): Parcel
}

input With {
  tags: [ID!]
  note: String
}
`,
});

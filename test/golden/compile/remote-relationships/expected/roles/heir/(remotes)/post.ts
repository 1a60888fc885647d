// Generated: change the metadata, not this file.
// From   remote schema post; role heir
// Slice  sha256:77640b75

import { joinColumn, joinKey, pg, remoteSchema, toSourceRow } from "engine/support";
import { server } from "../../../remotes/post/server.js";
import { orders } from "../shop/public.orders.js";

/** What role heir may ask of remote schema post. */
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

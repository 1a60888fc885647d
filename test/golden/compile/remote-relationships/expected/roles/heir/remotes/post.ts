// Generated: change the metadata, not this file.
// From   remote schema post; role heir
// Slice  sha256:c40ad09a

import {
  joinColumn,
  joinKey,
  pg,
  presetLiteral,
  presetSession,
  remoteSchema,
  toRemoteSchema,
  toSourceRow,
} from "engine/support";
import { server } from "../../../remotes/post/server.js";
import { orders } from "../shop/public.orders.js";

/** The part of remote schema post that role heir sees. */
export const remote = remoteSchema(server, {
  query: "Query",
  isPart: true,
  argumentPresets: {
    Parcel: {
      weight: { unit: presetLiteral("GRAM") },
      stops: { zone: presetSession("x-engine-zone", "String") },
    },
  },
  inputPresets: { With: { author: presetSession("x-engine-user-id", "String") } },
  relationships: {
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
  },
  types: `
type Parcel {
  id: ID!
  weight: Int
  stops(first: Int): [Stop!]!
}

type Query {
  _entities(representations: [_Any!]!): [_Entity]!
  parcel(id: ID!, with: With): Parcel
  parcels(ids: [ID!]!): [Parcel!]!
}

type Stop {
  town: String!
}

input With {
  tags: [ID!]
  note: String
}

scalar _Any

union _Entity = Parcel | Stop
`,
});

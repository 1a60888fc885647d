// Generated: change the metadata, not this file.
// From   remote schema post
// Slice  sha256:2b83e332

import { remoteSchema } from "engine/support";
import { server } from "./server.js";

/** Remote schema post, complete. */
export const remote = remoteSchema(server, {
  query: "Query",
  types: `
type Parcel {
  id: ID!
  weight(unit: Unit = GRAM): Int
  stops(first: Int, zone: String): [Stop!]!
  secret: String
}

type Query {
  _entities(representations: [_Any!]!): [_Entity]!
  parcel(id: ID!, with: With): Parcel
  parcels(ids: [ID!]!): [Parcel!]!
}

type Stop {
  town: String!
}

enum Unit {
  GRAM
  POUND
}

input With {
  tags: [ID!]
  note: String
  author: String
}

scalar _Any

union _Entity = Parcel | Stop
`,
});

// Generated: change the metadata, not this file.
// From   remote schema post
// Slice  sha256:f3f05405

import { remoteSchema } from "engine/support";
import { server } from "./server.js";

/** All that remote schema post offers. */
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
`,
});

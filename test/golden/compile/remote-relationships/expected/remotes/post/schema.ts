// Generated: change the metadata, not this file.
// From   remote schema post
// Slice  sha256:29485a5b

import { remoteSchema } from "engine/support";
import { server } from "./server.js";

/** All that remote schema post offers. */
export const remote = remoteSchema(server, {
  query: "Query",
  types: `
type Parcel {
  id: ID!
  weight: Int
  secret: String
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

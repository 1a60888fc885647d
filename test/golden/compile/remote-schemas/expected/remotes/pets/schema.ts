// Generated: change the metadata, not this file.
// From   remote schema pets
// Slice  sha256:52ab3391

import { remoteSchema } from "engine/support";
import { server } from "./server.js";

/** Remote schema pets, complete. */
export const remote = remoteSchema(server, {
  query: "Query",
  mutation: "Mutation",
  subscription: "Subscription",
  types: `
type Cat implements Named {
  name(upper: Boolean = false): String!
  lives: Int!
  friends: [[Named!]]!
}

type Dog implements Named {
  name(upper: Boolean = false): String!
  """Only at night."""
  barks: Boolean
  secret: String @deprecated(reason: "nobody \\"asks\\" for \`it\`")
}

scalar Moment

type Mutation {
  rename(from: String!, to: String!, by: ID!): Dog
}

"""Everything that has a name."""
interface Named {
  name(upper: Boolean = false): String!
}

input Page {
  first: Int
}

union Pet = Cat | Dog

type Query {
  pets(where: Where!, page: Page, since: Moment): [Pet!]!
  named(name: ID!): Named
  hidden: String
}

enum Size {
  SMALL
  LARGE
  HUGE @deprecated(reason: "No longer supported")
}

type Subscription {
  born(owner: ID!): Cat!
  died: Named
}

input Where {
  owner: ID!
  size: Size = SMALL
  names: [String!]
}
`,
});

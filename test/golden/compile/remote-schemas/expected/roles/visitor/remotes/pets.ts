// Generated: change the metadata, not this file.
// From   remote schema pets; role visitor
// Slice  sha256:83c96873

import { presetLiteral, presetObject, presetSession, remoteSchema } from "engine/support";
import { server } from "../../../remotes/pets/server.js";

/** The part of remote schema pets that role visitor sees. */
export const remote = remoteSchema(server, {
  query: "Query",
  mutation: "Mutation",
  subscription: "Subscription",
  isPart: true,
  argumentPresets: {
    Mutation: { rename: { by: presetLiteral("\"x-engine-user-id\"") } },
    Subscription: { born: { owner: presetSession("x-engine-user-id", "ID!") } },
    Query: { pets: { page: presetObject({ first: presetLiteral("10") }) } },
  },
  inputPresets: { Where: { owner: presetSession("x-engine-user-id", "ID!") } },
  types: `
type Cat implements Named {
  name(upper: Boolean = false): String!
  lives: Int!
}

type Dog implements Named {
  name(upper: Boolean = false): String!
  barks: Boolean
}

scalar Moment

type Mutation {
  rename(from: String!, to: String!): Dog
}

interface Named {
  name(upper: Boolean = false): String!
}

union Pet = Cat | Dog

type Query {
  pets(where: Where!, since: Moment): [Pet!]!
}

enum Size {
  SMALL
  LARGE
}

type Subscription {
  born: Cat!
}

input Where {
  size: Size = SMALL
}
`,
});

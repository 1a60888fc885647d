// Generated: change the metadata, not this file.
// From   query rename of collection app
// Slice  sha256:1c8e605b

import { savedOperation, variable } from "engine/support";

/** Saved mutation rename. */
export const operation = savedOperation({
  collection: "app",
  name: "rename",
  operationName: "Rename",
  kind: "mutation",
  text: `mutation Rename($from: String!, $to: String!) { update_book(where: {title: {_eq: $from}}, _set: {title: $to}) { affected_rows returning { id title } } }`,
  variables: { from: variable("String!"), to: variable("String!") },
});

// Generated: change the metadata, not this file.
// From   query counted of collection app
// Slice  sha256:5ea4a241

import { savedOperation, variable } from "engine/support";

/** Saved query counted. */
export const operation = savedOperation({
  collection: "app",
  name: "counted",
  operationName: "Counted",
  kind: "query",
  text: `query Counted($word: String!) { count_books(args: {word: $word}) { title } }`,
  variables: { word: variable("String!") },
});

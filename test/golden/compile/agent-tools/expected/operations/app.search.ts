// Generated: change the metadata, not this file.
// From   query search of collection app
// Slice  sha256:050ef36d

import { savedOperation, variable } from "engine/support";

/** Saved query search. */
export const operation = savedOperation({
  collection: "app",
  name: "search",
  operationName: "Search",
  kind: "query",
  text: `query Search($word: String!) { search_books(args: {word: $word}) { title author { name } } }`,
  variables: { word: variable("String!") },
});

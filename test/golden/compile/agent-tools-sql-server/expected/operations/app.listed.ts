// Generated: change the metadata, not this file.
// From   query listed of collection app
// Slice  sha256:3eb09804

import { savedOperation, variable } from "engine/support";

/** Saved query listed. */
export const operation = savedOperation({
  collection: "app",
  name: "listed",
  operationName: "Listed",
  kind: "query",
  text: `query Listed($author: Int!) { books_by(args: {author: $author}) { title } }`,
  variables: { author: variable("Int!") },
});

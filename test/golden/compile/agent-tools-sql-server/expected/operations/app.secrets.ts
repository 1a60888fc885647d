// Generated: change the metadata, not this file.
// From   query secrets of collection app
// Slice  sha256:7dafc7a1

import { savedOperation } from "engine/support";

/** Saved query secrets. */
export const operation = savedOperation({
  collection: "app",
  name: "secrets",
  operationName: "Secrets",
  kind: "query",
  text: `query Secrets { book(where: {secret: {_is_null: false}}) { title } }`,
  variables: {},
});

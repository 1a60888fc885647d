// Generated: change the metadata, not this file.
// From   query forget sessions of collection upkeep
// Slice  sha256:cf48cdc3

import { savedOperation } from "engine/support";

/** Saved query forget sessions. */
export const operation = savedOperation({
  collection: "upkeep",
  name: "forget sessions",
  operationName: "ForgetSessions",
  kind: "query",
  text: `query ForgetSessions { __typename }
`,
  variables: {},
});

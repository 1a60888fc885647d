// Generated: change the metadata, not this file.
// From   custom types
// Slice  sha256:48b813f0

import { actionTypes } from "engine/support";

/** The types of arguments and results of actions. */
export const types = actionTypes(
  `
type Packed {
  order_id: Int!
}
`,
);

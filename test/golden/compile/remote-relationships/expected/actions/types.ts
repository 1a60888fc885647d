// Generated: change the metadata, not this file.
// From   custom types
// Slice  sha256:48b813f0

import { actionTypes } from "engine/support";

/** Types of action arguments and results. */
export const types = actionTypes(
  `
type Packed {
  order_id: Int!
}
`,
);

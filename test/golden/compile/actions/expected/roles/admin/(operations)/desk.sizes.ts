// Generated: change the metadata, not this file.
// From   query sizes of collection desk: role admin
// Slice  sha256:e388795f

import { actionOf, actionRequest, queryPlan, savedPlans } from "engine/support";
import { action as sizes } from "../../../actions/sizes.js";

/** What role admin runs for query sizes of collection desk. */
export const plans = savedPlans({
  optional: [],
  conditions: [],
  plans: {
    always: queryPlan({
      statements: [],
      actions: [actionRequest(sizes, "$.selectionSet.sizes")],
      parts: [actionOf("sizes", 0)],
    }),
  },
});

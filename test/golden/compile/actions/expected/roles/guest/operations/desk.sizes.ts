// Generated: change the metadata, not this file.
// From   query sizes of collection desk: role guest
// Slice  sha256:d4bc50bc

import { actionOf, actionRequest, queryPlan, savedPlans } from "engine/support";
import { action as sizes } from "../../../actions/sizes.js";

/** Plans of query sizes of collection desk for role guest. */
export const plans = savedPlans({
  always: queryPlan({
    statements: [],
    actions: [actionRequest(sizes, "$.selectionSet.sizes")],
    parts: [actionOf("sizes", { action: 0 })],
  }),
});

// Generated: change the metadata, not this file.
// From   query sizes of collection desk: role admin
// Slice  sha256:7e5572ef

import { actionOf, actionRequest, queryPlan, savedPlans } from "engine/support";
import { action as sizes } from "../../../actions/sizes.js";

/** Plans of query sizes of collection desk for role admin. */
export const plans = savedPlans({
  always: queryPlan({
    statements: [],
    actions: [actionRequest(sizes, "$.selectionSet.sizes")],
    parts: [actionOf("sizes", { action: 0 })],
  }),
});

// Generated: change the metadata, not this file.
// From   query forget sessions of collection upkeep: role admin
// Slice  sha256:c5037b07

import { jsonOf, queryPlan, savedPlans } from "engine/support";

/** What role admin runs for query forget sessions of collection upkeep. */
export const plans = savedPlans({
  optional: [],
  conditions: [],
  plans: { always: queryPlan({ statements: [], parts: [jsonOf("__typename", "\"query_root\"")] }) },
});

// Generated: change the metadata, not this file.
// From   query forget sessions of collection upkeep: role admin
// Slice  sha256:13574995

import { jsonOf, queryPlan, savedPlans } from "engine/support";

/** Plans of query forget sessions of collection upkeep for role admin. */
export const plans = savedPlans({
  always: queryPlan({ statements: [], parts: [jsonOf("__typename", "\"query_root\"")] }),
});

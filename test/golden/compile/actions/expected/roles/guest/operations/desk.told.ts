// Generated: change the metadata, not this file.
// From   query told of collection desk: role guest
// Slice  sha256:aa4b31d0

import {
  actionOf,
  actionRequest,
  outputMember,
  outputObject,
  queryPlan,
  savedPlans,
} from "engine/support";
import { action as later } from "../../../actions/later.js";

/** Plans of query told of collection desk for role guest. */
export const plans = savedPlans({
  always: queryPlan({
    statements: [],
    actions: [
      actionRequest(later, "$.selectionSet.later", {
        use: "action_result",
        args: { id: "$id" },
        output: outputObject([
          "errors",
          outputMember("output", { object: outputObject(["city"]) }),
        ]),
      }),
    ],
    parts: [actionOf("later", { action: 0 })],
  }),
});

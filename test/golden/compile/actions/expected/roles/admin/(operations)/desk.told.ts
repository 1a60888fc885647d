// Generated: change the metadata, not this file.
// From   query told of collection desk: role admin
// Slice  sha256:0207b2d1

import {
  actionOf,
  actionRequest,
  answerWith,
  answered,
  queryPlan,
  savedPlans,
} from "engine/support";
import { action as later } from "../../../actions/later.js";

/** What role admin runs for query told of collection desk. */
export const plans = savedPlans({
  optional: [],
  conditions: [],
  plans: {
    always: queryPlan({
      statements: [],
      actions: [
        actionRequest(later, "$.selectionSet.later", {
          use: "action_result",
          args: { id: "$id" },
          answer: answerWith(["errors", answered("output", { object: answerWith(["city"]) })]),
        }),
      ],
      parts: [actionOf("later", 0)],
    }),
  },
});

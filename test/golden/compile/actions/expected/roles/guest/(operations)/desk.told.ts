// Generated: change the metadata, not this file.
// From   query told of collection desk: role guest
// Slice  sha256:1bda3d1a

import {
  actionOf,
  actionRequest,
  answerWith,
  answered,
  queryPlan,
  savedPlans,
} from "engine/support";
import { action as later } from "../../../actions/later.js";

/** What role guest runs for query told of collection desk. */
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

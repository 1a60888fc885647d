// Generated: change the metadata, not this file.
// From   tool renew_loan: role member
// Slice  sha256:9f28d931

import { roleTool } from "engine/support";
import { tool as definition } from "../../../tools/renew_loan.js";
import { plans } from "../operations/desk.renew.js";

/** Tool renew_loan for role member. */
export const tool = roleTool({
  tool: definition,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  input: {
    type: "object",
    properties: {
      loan: { type: ["integer", "string"] },
      until: { type: "string", format: "date" },
    },
    required: ["loan", "until"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      update_loan_by_pk: {
        type: ["object", "null"],
        properties: { id: { type: "integer" }, due_on: { type: "string" } },
        required: ["id", "due_on"],
        description: "update single row of the table: \"loan\"",
      },
    },
    required: ["update_loan_by_pk"],
  },
  plans,
});

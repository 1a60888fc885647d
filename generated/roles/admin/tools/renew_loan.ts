// Generated: change the metadata, not this file.
// From   tool renew_loan: role admin
// Slice  sha256:6c8b7187

import { roleTool } from "engine/support";
import { tool as definition } from "../../../tools/renew_loan.js";
import { plans } from "../operations/desk.renew.js";

/** Tool renew_loan for role admin. */
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

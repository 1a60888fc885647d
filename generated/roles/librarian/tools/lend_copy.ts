// Generated: change the metadata, not this file.
// From   tool lend_copy: role librarian
// Slice  sha256:40340b01

import { roleTool } from "engine/support";
import { tool as definition } from "../../../tools/lend_copy.js";
import { plans } from "../operations/desk.lend.js";

/** Tool lend_copy for role librarian. */
export const tool = roleTool({
  tool: definition,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  input: {
    type: "object",
    properties: {
      copy: { type: "integer", minimum: -2147483648, maximum: 2147483647 },
      member: { type: "string", format: "uuid" },
      until: { type: "string", format: "date" },
    },
    required: ["copy", "member", "until"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      insert_loan_one: {
        type: ["object", "null"],
        properties: { id: { type: "integer" } },
        required: ["id"],
        description: "insert a single row into the table: \"loan\"",
      },
    },
    required: ["insert_loan_one"],
  },
  plans,
});

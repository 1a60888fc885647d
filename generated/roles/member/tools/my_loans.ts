// Generated: change the metadata, not this file.
// From   tool my_loans: role member
// Slice  sha256:18b8474d

import { roleTool } from "engine/support";
import { tool as definition } from "../../../tools/my_loans.js";
import { plans } from "../operations/desk.my_loans.js";

/** Tool my_loans for role member. */
export const tool = roleTool({
  tool: definition,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: { type: "object", properties: {}, additionalProperties: false },
  output: {
    type: "object",
    properties: {
      loan: {
        type: "array",
        items: {
          type: "object",
          properties: {
            id: { type: "integer" },
            due_on: { type: "string" },
            copy: {
              type: "object",
              properties: {
                book: {
                  description: "A title; the library owns copies of it.",
                  type: "object",
                  properties: { title: { type: "string" } },
                  required: ["title"],
                },
              },
              required: ["book"],
            },
          },
          required: ["id", "due_on", "copy"],
        },
        description: "fetch data from the table: \"loan\"",
      },
    },
    required: ["loan"],
  },
  plans,
});

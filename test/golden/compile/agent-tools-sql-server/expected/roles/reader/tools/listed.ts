// Generated: change the metadata, not this file.
// From   tool listed: role reader
// Slice  sha256:ac18dd56

import { roleTool } from "engine/support";
import { tool as definition } from "../../../tools/listed.js";
import { plans } from "../operations/app.listed.js";

/** Tool listed for role reader. */
export const tool = roleTool({
  tool: definition,
  description: "Runs the query listed.",
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  input: {
    type: "object",
    properties: { author: { type: "integer", minimum: -2147483648, maximum: 2147483647 } },
    required: ["author"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      books_by: {
        type: "array",
        items: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
      },
    },
    required: ["books_by"],
  },
  plans,
});

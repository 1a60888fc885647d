// Generated: change the metadata, not this file.
// From   tool put: role editor
// Slice  sha256:cd711a8e

import { roleTool } from "engine/support";
import { tool as definition } from "../../../tools/put.js";
import { plans } from "../operations/app.put.js";

/** Tool put for role editor. */
export const tool = roleTool({
  tool: definition,
  description: "Insert a single row into the table: \"book\".",
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  input: {
    type: "object",
    properties: {
      title: { type: "string" },
      weight: { type: "integer", minimum: -2147483648, maximum: 2147483647 },
    },
    required: ["title", "weight"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      insert_book_one: {
        type: ["object", "null"],
        properties: { id: { type: "integer" } },
        required: ["id"],
        description: "insert a single row into the table: \"book\"",
      },
    },
    required: ["insert_book_one"],
  },
  plans,
});

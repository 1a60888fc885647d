// Generated: change the metadata, not this file.
// From   tool fatten: role editor
// Slice  sha256:d728ce1a

import { roleTool } from "engine/support";
import { tool as definition } from "../../../tools/fatten.js";
import { plans } from "../operations/app.fatten.js";

/** Tool fatten for role editor. */
export const tool = roleTool({
  tool: definition,
  description: "Update single row of the table: \"book\".",
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  input: {
    type: "object",
    properties: { id: { type: "integer", minimum: -2147483648, maximum: 2147483647 } },
    required: ["id"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      update_book_by_pk: {
        type: ["object", "null"],
        properties: { id: { type: "integer" } },
        required: ["id"],
        description: "update single row of the table: \"book\"",
      },
    },
    required: ["update_book_by_pk"],
  },
  plans,
});

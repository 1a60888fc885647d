// Generated: change the metadata, not this file.
// From   tool remove: role editor, from a backend
// Slice  sha256:27a79f07

import { roleTool } from "engine/support";
import { tool as definition } from "../../../../tools/remove.js";
import { plans } from "../../operations/app.remove.backend.js";

/** Tool remove for role editor, from a backend. */
export const tool = roleTool({
  tool: definition,
  description: "Delete single row from the table: \"book\".",
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  input: {
    type: "object",
    properties: { id: { type: "integer", minimum: -2147483648, maximum: 2147483647 } },
    required: ["id"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      delete_book_by_pk: {
        type: ["object", "null"],
        properties: { id: { type: "integer" } },
        required: ["id"],
        description: "delete single row from the table: \"book\"",
      },
    },
    required: ["delete_book_by_pk"],
  },
  plans,
});

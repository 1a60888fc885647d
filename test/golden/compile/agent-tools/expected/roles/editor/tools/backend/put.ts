// Generated: change the metadata, not this file.
// From   tool put: role editor, from a backend
// Slice  sha256:df16a115

import { roleTool } from "engine/support";
import { tool as definition } from "../../../../tools/put.js";
import { plans } from "../../operations/app.put.backend.js";

/** Tool put for role editor, from a backend. */
export const tool = roleTool({
  tool: definition,
  description: "Insert a single row into the table: \"book\".",
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  input: {
    type: "object",
    properties: { title: { type: "string", description: "Title as printed on the cover." } },
    required: ["title"],
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

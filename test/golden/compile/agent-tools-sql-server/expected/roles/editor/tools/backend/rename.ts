// Generated: change the metadata, not this file.
// From   tool rename: role editor, from a backend
// Slice  sha256:cc7151d7

import { roleTool } from "engine/support";
import { tool as definition } from "../../../../tools/rename.js";
import { plans } from "../../operations/app.rename.backend.js";

/** Tool rename for role editor, from a backend. */
export const tool = roleTool({
  tool: definition,
  description: "Update data of the table: \"book\".",
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  input: {
    type: "object",
    properties: { from: { type: "string" }, to: { type: "string" } },
    required: ["from", "to"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      update_book: {
        description: "update data of the table: \"book\"",
        type: ["object", "null"],
        properties: {
          affected_rows: {
            type: "integer",
            description: "number of rows affected by the mutation",
          },
          returning: {
            type: "array",
            items: {
              type: "object",
              properties: { id: { type: "integer" }, title: { type: "string" } },
              required: ["id", "title"],
            },
            description: "data from the rows affected by the mutation",
          },
        },
        required: ["affected_rows", "returning"],
      },
    },
    required: ["update_book"],
  },
  plans,
});

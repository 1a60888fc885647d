// Generated: change the metadata, not this file.
// From   tool rename: role editor, from a backend
// Slice  sha256:1a7bb9b3

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
    properties: {
      from: { type: "string", description: "Title as printed on the cover." },
      to: { type: "string", description: "Title as printed on the cover." },
    },
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
              properties: {
                id: { type: "integer" },
                title: { type: "string", description: "Title as printed on the cover." },
              },
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

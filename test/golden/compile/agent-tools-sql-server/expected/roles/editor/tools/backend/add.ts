// Generated: change the metadata, not this file.
// From   tool add: role editor, from a backend
// Slice  sha256:580b4928

import { roleTool } from "engine/support";
import { tool as definition } from "../../../../tools/add.js";

/** Tool add for role editor, from a backend. */
export const tool = roleTool({
  tool: definition,
  description: "Insert data into the table: \"book\".",
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  input: {
    type: "object",
    properties: {
      objects: {
        type: "array",
        items: { $ref: "#/$defs/book_insert_input" },
        description: "the rows to be inserted",
      },
    },
    required: ["objects"],
    additionalProperties: false,
    $defs: {
      book_insert_input: {
        description: "input type for inserting data into table \"book\"",
        type: "object",
        properties: {
          added_at: { type: ["string", "null"], format: "date-time" },
          author_id: { type: ["integer", "null"], minimum: -2147483648, maximum: 2147483647 },
          code: { type: ["string", "null"], format: "uuid" },
          is_lent: { type: ["boolean", "null"] },
          title: { type: ["string", "null"] },
          weight: { type: ["integer", "null"], minimum: -2147483648, maximum: 2147483647 },
        },
        additionalProperties: false,
      },
    },
  },
  output: {
    type: "object",
    properties: {
      insert_book: {
        description: "insert data into the table: \"book\"",
        type: ["object", "null"],
        properties: {
          affected_rows: {
            type: "integer",
            description: "number of rows affected by the mutation",
          },
        },
        required: ["affected_rows"],
      },
    },
    required: ["insert_book"],
  },
});

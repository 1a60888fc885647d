// Generated: change the metadata, not this file.
// From   tool find_books: role admin
// Slice  sha256:2c0d3590

import { roleTool } from "engine/support";
import { tool as definition } from "../../../tools/find_books.js";
import { plans } from "../operations/desk.find_books.js";

/** Tool find_books for role admin. */
export const tool = roleTool({
  tool: definition,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: "object",
    properties: {
      title: {
        type: "string",
        description: "does the column match the given case-insensitive pattern",
      },
      limit: {
        type: ["integer", "null"],
        minimum: 0,
        maximum: 2147483647,
        description: "limit the number of rows returned",
        default: 10,
      },
    },
    required: ["title"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      book: {
        type: "array",
        items: {
          description: "A title; the library owns copies of it.",
          type: "object",
          properties: {
            id: { type: "integer" },
            title: { type: "string" },
            genres: {
              type: "array",
              items: { anyOf: [{ type: "string" }, { type: ["array", "null"] }] },
            },
          },
          required: ["id", "title", "genres"],
        },
        description: "fetch data from the table: \"book\"",
      },
    },
    required: ["book"],
  },
  plans,
});

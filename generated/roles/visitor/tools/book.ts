// Generated: change the metadata, not this file.
// From   tool book: role visitor
// Slice  sha256:8af2116d

import { roleTool } from "engine/support";
import { tool as definition } from "../../../tools/book.js";
import { plans } from "../operations/desk.book.js";

/** Tool book for role visitor. */
export const tool = roleTool({
  tool: definition,
  description: "Fetch data from the table: \"book\" using primary key columns.",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: "object",
    properties: {
      id: { type: "integer", minimum: -2147483648, maximum: 2147483647 },
      withReviews: { type: ["boolean", "null"], default: false },
    },
    required: ["id"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      book_by_pk: {
        description: "fetch data from the table: \"book\" using primary key columns",
        type: ["object", "null"],
        properties: {
          title: { type: "string" },
          author: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
          reviews: {
            type: "array",
            items: {
              type: "object",
              properties: { stars: { type: "integer" }, comment: { type: ["string", "null"] } },
              required: ["stars", "comment"],
            },
          },
        },
        required: ["title", "author"],
      },
    },
    required: ["book_by_pk"],
  },
  plans,
});

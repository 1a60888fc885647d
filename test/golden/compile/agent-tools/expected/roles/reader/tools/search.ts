// Generated: change the metadata, not this file.
// From   tool search: role reader
// Slice  sha256:8f638234

import { roleTool } from "engine/support";
import { tool as definition } from "../../../tools/search.js";
import { plans } from "../operations/app.search.js";

/** Tool search for role reader. */
export const tool = roleTool({
  tool: definition,
  description: "Execute function \"search_books\" which returns \"book\".",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: "object",
    properties: { word: { type: "string" } },
    required: ["word"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      search_books: {
        type: "array",
        items: {
          type: "object",
          properties: {
            title: { type: "string", description: "Title as printed on the cover." },
            author: {
              description: "People who write books.",
              type: "object",
              properties: { name: { type: "string" } },
              required: ["name"],
            },
          },
          required: ["title", "author"],
        },
        description: "execute function \"search_books\" which returns \"book\"",
      },
    },
    required: ["search_books"],
  },
  plans,
});

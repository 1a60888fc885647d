// Generated: change the metadata, not this file.
// From   tool counted: role reader
// Slice  sha256:a6c5588f

import { roleTool } from "engine/support";
import { tool as definition } from "../../../tools/counted.js";
import { plans } from "../operations/app.counted.js";

/** Tool counted for role reader. */
export const tool = roleTool({
  tool: definition,
  description: "Execute function \"count_books\" which returns \"book\".",
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  input: {
    type: "object",
    properties: { word: { type: "string" } },
    required: ["word"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      count_books: {
        type: "array",
        items: {
          type: "object",
          properties: { title: { type: "string", description: "Title as printed on the cover." } },
          required: ["title"],
        },
        description: "execute function \"count_books\" which returns \"book\"",
      },
    },
    required: ["count_books"],
  },
  plans,
});

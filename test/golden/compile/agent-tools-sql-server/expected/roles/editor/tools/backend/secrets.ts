// Generated: change the metadata, not this file.
// From   tool secrets: role editor, from a backend
// Slice  sha256:283f7088

import { roleTool } from "engine/support";
import { tool as definition } from "../../../../tools/secrets.js";
import { plans } from "../../operations/app.secrets.backend.js";

/** Tool secrets for role editor, from a backend. */
export const tool = roleTool({
  tool: definition,
  description: "Fetch data from the table: \"book\".",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: { type: "object", properties: {}, additionalProperties: false },
  output: {
    type: "object",
    properties: {
      book: {
        type: "array",
        items: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
        description: "fetch data from the table: \"book\"",
      },
    },
    required: ["book"],
  },
  plans,
});

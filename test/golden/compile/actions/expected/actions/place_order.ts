// Generated: change the metadata, not this file.
// From   action place_order
// Slice  sha256:ba075069

import { defineAction } from "engine/support";
import { types } from "./types.js";

/** Action place_order. */
export const action = defineAction("place_order", types, {
  type: "mutation",
  field: `
"""Buys books."""
place_order(
  """What to buy"""
  items: [Item!]!
  note: json
): Order!
`,
  handler: {
    url: "{{CHECK_PATH}}/order",
    headers: [{ name: "x-key", valueFromEnv: "CHECK_KEY" }],
    forwardClientHeaders: true,
    ignoredClientHeaders: ["Cookie", "Accept"],
    timeoutSeconds: 5,
    requestTransform: {
      version: 2,
      template_engine: "Kriti",
      body: { action: "transform", template: "{ \"items\": {{ $body.input.items }} }" },
    },
    signingSecrets: ["CHECK_KEY"],
  },
});

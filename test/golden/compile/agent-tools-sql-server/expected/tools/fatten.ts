// Generated: change the metadata, not this file.
// From   tool fatten
// Slice  sha256:48ff01a1

import { agentTool } from "engine/support";
import { operation } from "../operations/app.fatten.js";

/** Tool for assistants: query fatten of collection app. */
export const tool = agentTool({
  name: "fatten",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 30 },
});

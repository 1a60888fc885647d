// Generated: change the metadata, not this file.
// From   tool counted
// Slice  sha256:745509fb

import { agentTool } from "engine/support";
import { operation } from "../operations/app.counted.js";

/** Tool for assistants: query counted of collection app. */
export const tool = agentTool({
  name: "counted",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 30 },
});

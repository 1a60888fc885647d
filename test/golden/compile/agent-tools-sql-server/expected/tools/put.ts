// Generated: change the metadata, not this file.
// From   tool put
// Slice  sha256:e9d883aa

import { agentTool } from "engine/support";
import { operation } from "../operations/app.put.js";

/** Tool for assistants: query put of collection app. */
export const tool = agentTool({
  name: "put",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 30 },
});

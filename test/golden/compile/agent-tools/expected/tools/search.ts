// Generated: change the metadata, not this file.
// From   tool search
// Slice  sha256:5c60ff2d

import { agentTool } from "engine/support";
import { operation } from "../operations/app.search.js";

/** Tool for assistants: query search of collection app. */
export const tool = agentTool({
  name: "search",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 30 },
});

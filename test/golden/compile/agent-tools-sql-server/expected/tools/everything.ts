// Generated: change the metadata, not this file.
// From   tool everything
// Slice  sha256:db7123a6

import { agentTool } from "engine/support";
import { operation } from "../operations/app.everything.js";

/** Tool for assistants: query everything of collection app. */
export const tool = agentTool({
  name: "everything",
  description: "Reads every column that a reader sees.",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 30 },
});

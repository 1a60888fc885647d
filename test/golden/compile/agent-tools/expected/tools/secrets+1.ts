// Generated: change the metadata, not this file.
// From   tool Secrets
// Slice  sha256:70a3c39d

import { agentTool } from "engine/support";
import { operation } from "../operations/app.secrets.js";

/** Tool for assistants: query secrets of collection app. */
export const tool = agentTool({
  name: "Secrets",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 30 },
});

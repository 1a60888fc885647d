// Generated: change the metadata, not this file.
// From   tool secrets
// Slice  sha256:58d30289

import { agentTool } from "engine/support";
import { operation } from "../operations/app.secrets.js";

/** Tool for assistants: query secrets of collection app. */
export const tool = agentTool({
  name: "secrets",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 30 },
});

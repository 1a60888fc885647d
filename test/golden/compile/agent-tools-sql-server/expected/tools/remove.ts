// Generated: change the metadata, not this file.
// From   tool remove
// Slice  sha256:cfb2426c

import { agentTool } from "engine/support";
import { operation } from "../operations/app.remove.js";

/** Tool for assistants: query remove of collection app. */
export const tool = agentTool({
  name: "remove",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 30 },
});

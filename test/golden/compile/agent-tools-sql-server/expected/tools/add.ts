// Generated: change the metadata, not this file.
// From   tool add
// Slice  sha256:99ef557b

import { agentTool } from "engine/support";
import { operation } from "../operations/app.add.js";

/** Tool for assistants: query add of collection app. */
export const tool = agentTool({
  name: "add",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 30 },
});

// Generated: change the metadata, not this file.
// From   tool rename
// Slice  sha256:ca64b8a2

import { agentTool } from "engine/support";
import { operation } from "../operations/app.rename.js";

/** Tool for assistants: query rename of collection app. */
export const tool = agentTool({
  name: "rename",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 30 },
});

// Generated: change the metadata, not this file.
// From   tool listed
// Slice  sha256:4e8c647b

import { agentTool } from "engine/support";
import { operation } from "../operations/app.listed.js";

/** Tool for assistants: query listed of collection app. */
export const tool = agentTool({
  name: "listed",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 30 },
});

// Generated: change the metadata, not this file.
// From   tool lend_copy
// Slice  sha256:852c895d

import { agentTool } from "engine/support";
import { operation } from "../operations/desk.lend.js";

/** Tool for assistants: query lend of collection desk. */
export const tool = agentTool({
  name: "lend_copy",
  title: "Lend a copy",
  description: "Records that a member borrows a copy of a book.",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 10 },
  scopes: ["loans.write"],
});

// Generated: change the metadata, not this file.
// From   tool filtered.books
// Slice  sha256:dd9a7d70

import { agentTool } from "engine/support";
import { operation } from "../operations/app.filtered.js";

/** Tool for assistants: query filtered of collection app. */
export const tool = agentTool({
  name: "filtered.books",
  title: "Books by a filter",
  description: "Finds books.",
  operation,
  limits: { rows: 5, bytes: 2000, seconds: 2 },
});

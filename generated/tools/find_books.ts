// Generated: change the metadata, not this file.
// From   tool find_books
// Slice  sha256:899aac50

import { agentTool } from "engine/support";
import { operation } from "../operations/desk.find_books.js";

/** Tool for assistants: query find_books of collection desk. */
export const tool = agentTool({
  name: "find_books",
  title: "Find books",
  description: "Finds books by a pattern of their title, with `%` for any text.",
  operation,
  limits: { rows: 50, bytes: 262144, seconds: 30 },
});

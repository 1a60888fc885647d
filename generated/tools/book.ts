// Generated: change the metadata, not this file.
// From   tool book
// Slice  sha256:141ea8ee

import { agentTool } from "engine/support";
import { operation } from "../operations/desk.book.js";

/** Tool for assistants: query book of collection desk. */
export const tool = agentTool({
  name: "book",
  title: "Show a book",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 30 },
});

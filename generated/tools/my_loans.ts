// Generated: change the metadata, not this file.
// From   tool my_loans
// Slice  sha256:bb2aeb1e

import { agentTool } from "engine/support";
import { operation } from "../operations/desk.my_loans.js";

/** Tool for assistants: query my_loans of collection desk. */
export const tool = agentTool({
  name: "my_loans",
  title: "My loans",
  description: "Lists the books that the caller has borrowed and not yet returned, the earliest due date first.",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 30 },
});

// Generated: change the metadata, not this file.
// From   tool renew_loan
// Slice  sha256:240c1aa0

import { agentTool } from "engine/support";
import { operation } from "../operations/desk.renew.js";

/** Tool for assistants: query renew of collection desk. */
export const tool = agentTool({
  name: "renew_loan",
  title: "Renew a loan",
  description: "Extends a loan of the caller to a later date.",
  operation,
  limits: { rows: 1000, bytes: 262144, seconds: 30 },
  scopes: ["loans.write"],
});

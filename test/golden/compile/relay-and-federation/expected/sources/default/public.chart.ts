// Generated: change the metadata, not this file.
// From   table public.chart (source default)
// Slice  sha256:4ee881e5

import { column, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.chart. */
export const columns = {
  id: column("id", `"id"`, pg("int8"), { nullable: true }),
  plays: column("plays", `"plays"`, pg("int4"), { nullable: true }),
};

/** Table public.chart. */
export const chart = defineTable({
  source: defaultSource,
  sql: `"public"."chart"`,
  type: "chart",
  displayName: "chart",
  primaryKey: [],
  earlyTriggers: true,
  mayLeaveOutRows: true,
});

// Generated: change the metadata, not this file.
// From   logical model gauge_reading (source default)
// Slice  sha256:b7801512

import { column, defineTable, nestedModel, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of logical model gauge_reading. */
export const columns = {
  gauge: column("gauge", `"gauge"`, pg("text")),
  level: column("level", `"level"`, pg("numeric")),
};

/** Rows of logical model gauge_reading. */
export const gauge_reading = defineTable({
  source: defaultSource,
  sql: `"gauge_reading"`,
  type: "gauge_reading",
  displayName: "gauge_reading",
  primaryKey: [],
  query: nestedModel("gauge_reading"),
});

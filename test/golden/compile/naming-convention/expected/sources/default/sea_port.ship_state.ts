// Generated: change the metadata, not this file.
// From   table sea_port.ship_state (source default)
// Slice  sha256:13936913

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of sea_port.ship_state. */
export const columns = {
  state: column("state", `"state"`, pg("text")),
  meaning: column("meaning", `"meaning"`, pg("text"), { nullable: true }),
};

/** Table sea_port.ship_state. */
export const ship_state = defineTable({
  source: defaultSource,
  sql: `"sea_port"."ship_state"`,
  type: "SeaPortShipState",
  displayName: "sea_port.ship_state",
  primaryKey: [columns.state],
  constraints: [constraint("ship_state_pkey", `"ship_state_pkey"`, ["state"])],
});

// Generated: change the metadata, not this file.
// From   table sea_port.cargo_ship (source default)
// Slice  sha256:803fd579

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  enumOf,
  insertAfter,
  joinOn,
  pg,
  sql,
} from "engine/support";
import { ship_state } from "./sea_port.ship_state.enum.js";
import { defaultSource } from "./source.js";

/** Columns of sea_port.cargo_ship. */
export const columns = {
  shipId: column("shipId", `"ship_id"`, pg("int4")),
  shipName: column("shipName", `"ship_name"`, pg("text")),
  currentState: column("currentState", `"current_state"`, enumOf(ship_state, pg("text"))),
  grossTonnage: column("grossTonnage", `"gross_tonnage"`, pg("numeric"), { nullable: true }),
  lastSeen: column("lastSeen", `"last_seen"`, pg("timestamptz"), { nullable: true }),
};

/** Table sea_port.cargo_ship. */
export const cargo_ship = defineTable({
  source: defaultSource,
  sql: `"sea_port"."cargo_ship"`,
  type: "SeaPortCargoShip",
  displayName: "sea_port.cargo_ship",
  primaryKey: [columns.shipId],
  constraints: [
    constraint("cargo_ship_pkey", `"cargo_ship_pkey"`, ["ship_id"]),
    constraint("cargo_ship_ship_name_key", `"cargo_ship_ship_name_key"`, ["ship_name"]),
  ],
});

/** Join conditions of relationships. */
export const joins = {
  /** ship_id of public.log_entry is a foreign key to sea_port.cargo_ship. */
  log_entries: joinOn(
    (cargo_ship, log_entry) => sql`${log_entry}."ship_id" = ${cargo_ship}."ship_id"`,
    { unique: false, insert: insertAfter([copyColumn(`"ship_id"`, `"ship_id"`, pg("int4"))]) },
  ),
};

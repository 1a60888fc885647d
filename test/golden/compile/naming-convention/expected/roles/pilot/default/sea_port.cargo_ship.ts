// Generated: change the metadata, not this file.
// From   table sea_port.cargo_ship (source default): permissions of role pilot
// Slice  sha256:d60cb3c5

import { type RowFilter, sql, tableView } from "engine/support";
import { cargo_ship as table, columns } from "../../../sources/default/sea_port.cargo_ship.js";

/** Rows that role pilot may read: {"current_state":{"_eq":"moored"}} */
const visible: RowFilter = (cargo_ship) => sql`${cargo_ship}."current_state" = 'moored'::text`;

/** Select permission of role pilot on sea_port.cargo_ship. */
export const cargo_ship = tableView(table, {
  columns: [columns.shipId, columns.shipName, columns.currentState],
  visible,
});

// Generated: change the metadata, not this file.
// From   table sea_port.cargo_ship (source default): role admin
// Slice  sha256:5ed3ef83

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRows,
  tableView,
  toMany,
} from "engine/support";
import {
  cargo_ship as table,
  columns,
  joins,
} from "../../../sources/default/sea_port.cargo_ship.js";
import { log_entry } from "./public.log_entry.js";

/** Insert permission of role admin on sea_port.cargo_ship, without a check. */
const insert = allowInsert({
  columns: [
    columns.shipId,
    columns.shipName,
    columns.currentState,
    columns.grossTonnage,
    columns.lastSeen,
  ],
  nested: { log_entries: nestedRows(joins.log_entries, () => log_entry) },
});

/** Update permission of role admin on sea_port.cargo_ship, for every row. */
const update = allowUpdate({
  columns: [
    columns.shipId,
    columns.shipName,
    columns.currentState,
    columns.grossTonnage,
    columns.lastSeen,
  ],
});

/** Delete permission of role admin on sea_port.cargo_ship, for every row. */
const remove = allowDelete();

/** Select permission of role admin on sea_port.cargo_ship, for every row. */
export const cargo_ship = tableView(table, {
  columns: [
    columns.shipId,
    columns.shipName,
    columns.currentState,
    columns.grossTonnage,
    columns.lastSeen,
  ],
  relationships: {
    log_entries: toMany(joins.log_entries, () => log_entry, { aggregations: true }),
  },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

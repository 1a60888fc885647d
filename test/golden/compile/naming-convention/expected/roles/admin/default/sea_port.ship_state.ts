// Generated: change the metadata, not this file.
// From   table sea_port.ship_state (source default): role admin
// Slice  sha256:25a5f740

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, ship_state as table } from "../../../sources/default/sea_port.ship_state.js";

/** Insert permission of role admin on sea_port.ship_state, without a check. */
const insert = allowInsert({ columns: [columns.state, columns.meaning] });

/** Update permission of role admin on sea_port.ship_state, for every row. */
const update = allowUpdate({ columns: [columns.state, columns.meaning] });

/** Delete permission of role admin on sea_port.ship_state, for every row. */
const remove = allowDelete();

/** Select permission of role admin on sea_port.ship_state, for every row. */
export const ship_state = tableView(table, {
  columns: [columns.state, columns.meaning],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

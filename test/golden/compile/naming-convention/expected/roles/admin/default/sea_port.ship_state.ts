// Generated: change the metadata, not this file.
// From   table sea_port.ship_state (source default): role admin
// Slice  sha256:25a5f740

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, ship_state as table } from "../../../sources/default/sea_port.ship_state.js";

/** What role admin may insert into sea_port.ship_state, without a check. */
const insert = allowInsert({ columns: [columns.state, columns.meaning] });

/** What role admin may change in sea_port.ship_state, in every row. */
const update = allowUpdate({ columns: [columns.state, columns.meaning] });

/** What role admin may delete from sea_port.ship_state, every row. */
const remove = allowDelete();

/** What role admin may read of sea_port.ship_state, in every row. */
export const ship_state = tableView(table, {
  columns: [columns.state, columns.meaning],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

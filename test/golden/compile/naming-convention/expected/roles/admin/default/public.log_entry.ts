// Generated: change the metadata, not this file.
// From   table public.log_entry (source default): role admin
// Slice  sha256:ac37bd2d

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { columns, joins, log_entry as table } from "../../../sources/default/public.log_entry.js";
import { cargo_ship } from "./sea_port.cargo_ship.js";

/** Insert permission of role admin on public.log_entry, without a check. */
const insert = allowInsert({
  columns: [columns.entryId, columns.shipId, columns.entry_json, columns.isFinal],
  nested: { the_ship: nestedRow(joins.the_ship, () => cargo_ship) },
});

/** Update permission of role admin on public.log_entry, for every row. */
const update = allowUpdate({
  columns: [columns.entryId, columns.shipId, columns.entry_json, columns.isFinal],
});

/** Delete permission of role admin on public.log_entry, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.log_entry, for every row. */
export const log_entry = tableView(table, {
  columns: [columns.entryId, columns.shipId, columns.entry_json, columns.isFinal],
  relationships: { the_ship: toOne(joins.the_ship, () => cargo_ship, { required: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

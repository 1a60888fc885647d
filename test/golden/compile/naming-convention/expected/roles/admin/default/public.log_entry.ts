// Generated: change the metadata, not this file.
// From   table public.log_entry (source default): role admin
// Slice  sha256:ac37bd2d

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { columns, joins, log_entry as table } from "../../../sources/default/public.log_entry.js";
import { cargo_ship } from "./sea_port.cargo_ship.js";

/** What role admin may insert into public.log_entry, without a check. */
const insert = allowInsert({
  columns: [columns.entryId, columns.shipId, columns.entry_json, columns.isFinal],
  nested: { the_ship: nestedRow(joins.the_ship, () => cargo_ship) },
});

/** What role admin may change in public.log_entry, in every row. */
const update = allowUpdate({
  columns: [columns.entryId, columns.shipId, columns.entry_json, columns.isFinal],
});

/** What role admin may delete from public.log_entry, every row. */
const remove = allowDelete();

/** What role admin may read of public.log_entry, in every row. */
export const log_entry = tableView(table, {
  columns: [columns.entryId, columns.shipId, columns.entry_json, columns.isFinal],
  relationships: { the_ship: toOne(joins.the_ship, () => cargo_ship, { required: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

// Generated: change the metadata, not this file.
// From   table public.island (source default): role admin
// Slice  sha256:74f36960

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, island as table } from "../../../sources/default/public.island.js";

/** Insert permission of role admin on public.island, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.name] });

/** Update permission of role admin on public.island, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.name] });

/** Delete permission of role admin on public.island, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.island, for every row. */
export const island = tableView(table, {
  columns: [columns.id, columns.name],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

// Generated: change the metadata, not this file.
// From   table public.color (source default): role admin
// Slice  sha256:8ec84cfd

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { color as table, columns } from "../../../sources/default/public.color.js";

/** Insert permission of role admin on public.color, without a check. */
const insert = allowInsert({ columns: [columns.name, columns.comment] });

/** Update permission of role admin on public.color, for every row. */
const update = allowUpdate({ columns: [columns.name, columns.comment] });

/** Delete permission of role admin on public.color, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.color, for every row. */
export const color = tableView(table, {
  columns: [columns.name, columns.comment],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

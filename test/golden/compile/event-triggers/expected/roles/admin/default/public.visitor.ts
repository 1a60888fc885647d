// Generated: change the metadata, not this file.
// From   table public.visitor (source default): role admin
// Slice  sha256:d9d8e393

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, visitor as table } from "../../../sources/default/public.visitor.js";

/** Insert permission of role admin on public.visitor, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.mood] });

/** Update permission of role admin on public.visitor, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.mood] });

/** Delete permission of role admin on public.visitor, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.visitor, for every row. */
export const visitor = tableView(table, {
  columns: [columns.id, columns.mood],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

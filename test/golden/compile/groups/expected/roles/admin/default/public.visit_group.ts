// Generated: change the metadata, not this file.
// From   table public.visit_group (source default): role admin
// Slice  sha256:c9ebb5d6

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, visit_group as table } from "../../../sources/default/public.visit_group.js";

/** Insert permission of role admin on public.visit_group, without a check. */
const insert = allowInsert({ columns: [columns.id] });

/** Update permission of role admin on public.visit_group, for every row. */
const update = allowUpdate({ columns: [columns.id] });

/** Delete permission of role admin on public.visit_group, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.visit_group, for every row. */
export const visit_group = tableView(table, {
  columns: [columns.id],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

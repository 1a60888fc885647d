// Generated: change the metadata, not this file.
// From   table public.branch (source default): role admin
// Slice  sha256:867aa186

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { branch as table, columns } from "../../../sources/default/public.branch.js";

/** Insert permission of role admin on public.branch, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.name, columns.address, columns.opening_hours],
});

/** Update permission of role admin on public.branch, for every row. */
const update = allowUpdate({
  columns: [columns.id, columns.name, columns.address, columns.opening_hours],
});

/** Delete permission of role admin on public.branch, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.branch, for every row. */
export const branch = tableView(table, {
  columns: [columns.id, columns.name, columns.address, columns.opening_hours],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

// Generated: change the metadata, not this file.
// From   table public.branch (source default): role admin
// Slice  sha256:867aa186

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { branch as table, columns } from "../../../sources/default/public.branch.js";

/** What role admin may insert into public.branch, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.name, columns.address, columns.opening_hours],
});

/** What role admin may change in public.branch, in every row. */
const update = allowUpdate({
  columns: [columns.id, columns.name, columns.address, columns.opening_hours],
});

/** What role admin may delete from public.branch, every row. */
const remove = allowDelete();

/** What role admin may read of public.branch, in every row. */
export const branch = tableView(table, {
  columns: [columns.id, columns.name, columns.address, columns.opening_hours],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

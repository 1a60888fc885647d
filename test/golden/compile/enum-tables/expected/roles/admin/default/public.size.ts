// Generated: change the metadata, not this file.
// From   table public.size (source default): role admin
// Slice  sha256:acf031ad

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, size as table } from "../../../sources/default/public.size.js";

/** Insert permission of role admin on public.size, without a check. */
const insert = allowInsert({ columns: [columns.name] });

/** Update permission of role admin on public.size, for every row. */
const update = allowUpdate({ columns: [columns.name] });

/** Delete permission of role admin on public.size, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.size, for every row. */
export const size = tableView(table, {
  columns: [columns.name],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

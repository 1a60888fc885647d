// Generated: change the metadata, not this file.
// From   table public.columns (source Main Shop): role admin
// Slice  sha256:dd342dc3

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, columns_ as table } from "../../../sources/main-shop+21/public.columns.js";

/** Insert permission of role admin on public.columns, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.sql, columns.session] });

/** Update permission of role admin on public.columns, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.sql, columns.session] });

/** Delete permission of role admin on public.columns, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.columns, for every row. */
export const columns_ = tableView(table, {
  columns: [columns.id, columns.sql, columns.session],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

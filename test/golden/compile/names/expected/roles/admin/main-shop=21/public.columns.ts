// Generated: change the metadata, not this file.
// From   table public.columns (source Main Shop): role admin
// Slice  sha256:dd342dc3

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, columns_ as table } from "../../../sources/main-shop=21/public.columns.js";

/** What role admin may insert into public.columns, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.sql, columns.session] });

/** What role admin may change in public.columns, in every row. */
const update = allowUpdate({ columns: [columns.id, columns.sql, columns.session] });

/** What role admin may delete from public.columns, every row. */
const remove = allowDelete();

/** What role admin may read of public.columns, in every row. */
export const columns_ = tableView(table, {
  columns: [columns.id, columns.sql, columns.session],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

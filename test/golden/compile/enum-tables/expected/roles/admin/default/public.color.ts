// Generated: change the metadata, not this file.
// From   table public.color (source default): role admin
// Slice  sha256:8ec84cfd

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { color as table, columns } from "../../../sources/default/public.color.js";

/** What role admin may insert into public.color, without a check. */
const insert = allowInsert({ columns: [columns.name, columns.comment] });

/** What role admin may change in public.color, in every row. */
const update = allowUpdate({ columns: [columns.name, columns.comment] });

/** What role admin may delete from public.color, every row. */
const remove = allowDelete();

/** What role admin may read of public.color, in every row. */
export const color = tableView(table, {
  columns: [columns.name, columns.comment],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

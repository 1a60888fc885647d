// Generated: change the metadata, not this file.
// From   table public.visitor (source default): role admin
// Slice  sha256:d9d8e393

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, visitor as table } from "../../../sources/default/public.visitor.js";

/** What role admin may insert into public.visitor, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.mood] });

/** What role admin may change in public.visitor, in every row. */
const update = allowUpdate({ columns: [columns.id, columns.mood] });

/** What role admin may delete from public.visitor, every row. */
const remove = allowDelete();

/** What role admin may read of public.visitor, in every row. */
export const visitor = tableView(table, {
  columns: [columns.id, columns.mood],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

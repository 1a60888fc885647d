// Generated: change the metadata, not this file.
// From   table public.size (source default): role admin
// Slice  sha256:acf031ad

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, size as table } from "../../../sources/default/public.size.js";

/** What role admin may insert into public.size, without a check. */
const insert = allowInsert({ columns: [columns.name] });

/** What role admin may change in public.size, in every row. */
const update = allowUpdate({ columns: [columns.name] });

/** What role admin may delete from public.size, every row. */
const remove = allowDelete();

/** What role admin may read of public.size, in every row. */
export const size = tableView(table, {
  columns: [columns.name],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

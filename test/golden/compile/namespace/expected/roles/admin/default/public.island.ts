// Generated: change the metadata, not this file.
// From   table public.island (source default): role admin
// Slice  sha256:74f36960

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, island as table } from "../../../sources/default/public.island.js";

/** What role admin may insert into public.island, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.name] });

/** What role admin may change in public.island, in every row. */
const update = allowUpdate({ columns: [columns.id, columns.name] });

/** What role admin may delete from public.island, every row. */
const remove = allowDelete();

/** What role admin may read of public.island, in every row. */
export const island = tableView(table, {
  columns: [columns.id, columns.name],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

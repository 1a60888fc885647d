// Generated: change the metadata, not this file.
// From   table public.house (source default): role admin
// Slice  sha256:6bf839ca

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, house as table } from "../../../sources/default/public.house.js";

/** Insert permission of role admin on public.house, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.street] });

/** Update permission of role admin on public.house, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.street] });

/** Delete permission of role admin on public.house, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.house, for every row. */
export const house = tableView(table, {
  columns: [columns.id, columns.street],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

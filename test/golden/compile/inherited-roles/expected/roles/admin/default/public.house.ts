// Generated: change the metadata, not this file.
// From   table public.house (source default): role admin
// Slice  sha256:6bf839ca

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, house as table } from "../../../sources/default/public.house.js";

/** What role admin may insert into public.house, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.street] });

/** What role admin may change in public.house, in every row. */
const update = allowUpdate({ columns: [columns.id, columns.street] });

/** What role admin may delete from public.house, every row. */
const remove = allowDelete();

/** What role admin may read of public.house, in every row. */
export const house = tableView(table, {
  columns: [columns.id, columns.street],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

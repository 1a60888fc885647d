// Generated: change the metadata, not this file.
// From   table public.shirt (source default): role admin
// Slice  sha256:ea7cadd6

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, shirt as table } from "../../../sources/default/public.shirt.js";

/** What role admin may insert into public.shirt, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.color, columns.size, columns.label] });

/** What role admin may change in public.shirt, in every row. */
const update = allowUpdate({ columns: [columns.id, columns.color, columns.size, columns.label] });

/** What role admin may delete from public.shirt, every row. */
const remove = allowDelete();

/** What role admin may read of public.shirt, in every row. */
export const shirt = tableView(table, {
  columns: [columns.id, columns.color, columns.size, columns.label],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

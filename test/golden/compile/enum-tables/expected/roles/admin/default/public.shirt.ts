// Generated: change the metadata, not this file.
// From   table public.shirt (source default): role admin
// Slice  sha256:ea7cadd6

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, shirt as table } from "../../../sources/default/public.shirt.js";

/** Insert permission of role admin on public.shirt, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.color, columns.size, columns.label] });

/** Update permission of role admin on public.shirt, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.color, columns.size, columns.label] });

/** Delete permission of role admin on public.shirt, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.shirt, for every row. */
export const shirt = tableView(table, {
  columns: [columns.id, columns.color, columns.size, columns.label],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

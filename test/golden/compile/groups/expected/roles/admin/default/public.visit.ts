// Generated: change the metadata, not this file.
// From   table public.visit (source default): role admin
// Slice  sha256:1f33b2b1

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { columns, joins, visit as table } from "../../../sources/default/public.visit.js";
import { town } from "./public.town.js";

/** Insert permission of role admin on public.visit, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.town_id, columns.at, columns.spent, columns.details],
  nested: { town: nestedRow(joins.town, () => town) },
});

/** Update permission of role admin on public.visit, for every row. */
const update = allowUpdate({
  columns: [columns.id, columns.town_id, columns.at, columns.spent, columns.details],
});

/** Delete permission of role admin on public.visit, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.visit, for every row. */
export const visit = tableView(table, {
  columns: [columns.id, columns.town_id, columns.at, columns.spent, columns.details],
  relationships: { town: toOne(joins.town, () => town) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

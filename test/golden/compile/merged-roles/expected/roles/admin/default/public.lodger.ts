// Generated: change the metadata, not this file.
// From   table public.lodger (source default): role admin
// Slice  sha256:e46f70d0

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { columns, joins, lodger as table } from "../../../sources/default/public.lodger.js";
import { house } from "./public.house.js";

/** Insert permission of role admin on public.lodger, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.name, columns.rent, columns.note, columns.house_id],
  nested: { house: nestedRow(joins.house, () => house) },
});

/** Update permission of role admin on public.lodger, for every row. */
const update = allowUpdate({
  columns: [columns.id, columns.name, columns.rent, columns.note, columns.house_id],
});

/** Delete permission of role admin on public.lodger, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.lodger, for every row. */
export const lodger = tableView(table, {
  columns: [columns.id, columns.name, columns.rent, columns.note, columns.house_id],
  relationships: { house: toOne(joins.house, () => house) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

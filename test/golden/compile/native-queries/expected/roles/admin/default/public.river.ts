// Generated: change the metadata, not this file.
// From   table public.river (source default): role admin
// Slice  sha256:3a9a9742

import { allowDelete, allowInsert, allowUpdate, tableView, toMany } from "engine/support";
import { columns, joins, river as table } from "../../../sources/default/public.river.js";
import { readings_since } from "./native.readings_since.query.js";

/** Insert permission of role admin on public.river, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.name] });

/** Update permission of role admin on public.river, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.name] });

/** Delete permission of role admin on public.river, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.river, for every row. */
export const river = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { readings: toMany(joins.readings, () => readings_since) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

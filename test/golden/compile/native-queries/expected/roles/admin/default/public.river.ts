// Generated: change the metadata, not this file.
// From   table public.river (source default): role admin
// Slice  sha256:3a9a9742

import { allowDelete, allowInsert, allowUpdate, tableView, toMany } from "engine/support";
import { columns, joins, river as table } from "../../../sources/default/public.river.js";
import { readings_since } from "./native.readings_since.query.js";

/** What role admin may insert into public.river, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.name] });

/** What role admin may change in public.river, in every row. */
const update = allowUpdate({ columns: [columns.id, columns.name] });

/** What role admin may delete from public.river, every row. */
const remove = allowDelete();

/** What role admin may read of public.river, in every row. */
export const river = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { readings: toMany(joins.readings, () => readings_since) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

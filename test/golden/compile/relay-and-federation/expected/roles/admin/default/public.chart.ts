// Generated: change the metadata, not this file.
// From   table public.chart (source default): role admin
// Slice  sha256:4ea138c2

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { chart as table, columns } from "../../../sources/default/public.chart.js";

/** Insert permission of role admin on public.chart, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.plays] });

/** Update permission of role admin on public.chart, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.plays] });

/** Delete permission of role admin on public.chart, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.chart, for every row. */
export const chart = tableView(table, {
  columns: [columns.id, columns.plays],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

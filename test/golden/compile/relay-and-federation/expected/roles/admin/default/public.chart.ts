// Generated: change the metadata, not this file.
// From   table public.chart (source default): role admin
// Slice  sha256:4ea138c2

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { chart as table, columns } from "../../../sources/default/public.chart.js";

/** What role admin may insert into public.chart, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.plays] });

/** What role admin may change in public.chart, in every row. */
const update = allowUpdate({ columns: [columns.id, columns.plays] });

/** What role admin may delete from public.chart, every row. */
const remove = allowDelete();

/** What role admin may read of public.chart, in every row. */
export const chart = tableView(table, {
  columns: [columns.id, columns.plays],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

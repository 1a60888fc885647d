// Generated: change the metadata, not this file.
// From   table public.reading (source default): role admin
// Slice  sha256:858cd369

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, reading as table } from "../../../sources/default/public.reading.js";

/** Insert permission of role admin on public.reading, without a check. */
const insert = allowInsert({ columns: [columns.sensor, columns.at, columns.value] });

/** Update permission of role admin on public.reading, for every row. */
const update = allowUpdate({ columns: [columns.sensor, columns.at, columns.value] });

/** Delete permission of role admin on public.reading, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.reading, for every row. */
export const reading = tableView(table, {
  columns: [columns.sensor, columns.at, columns.value],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

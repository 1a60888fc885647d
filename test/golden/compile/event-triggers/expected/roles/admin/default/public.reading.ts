// Generated: change the metadata, not this file.
// From   table public.reading (source default): role admin
// Slice  sha256:858cd369

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, reading as table } from "../../../sources/default/public.reading.js";

/** What role admin may insert into public.reading, without a check. */
const insert = allowInsert({ columns: [columns.sensor, columns.at, columns.value] });

/** What role admin may change in public.reading, in every row. */
const update = allowUpdate({ columns: [columns.sensor, columns.at, columns.value] });

/** What role admin may delete from public.reading, every row. */
const remove = allowDelete();

/** What role admin may read of public.reading, in every row. */
export const reading = tableView(table, {
  columns: [columns.sensor, columns.at, columns.value],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

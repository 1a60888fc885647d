// Generated: change the metadata, not this file.
// From   table public.region (source people): role admin
// Slice  sha256:390ac31b

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, region as table } from "../../../sources/people/public.region.js";

/** Insert permission of role admin on public.region, without a check. */
const insert = allowInsert({ columns: [columns.country, columns.name, columns.taxes] });

/** Update permission of role admin on public.region, for every row. */
const update = allowUpdate({ columns: [columns.country, columns.name, columns.taxes] });

/** Delete permission of role admin on public.region, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.region, for every row. */
export const region = tableView(table, {
  columns: [columns.country, columns.name, columns.taxes],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

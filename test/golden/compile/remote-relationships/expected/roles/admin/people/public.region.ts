// Generated: change the metadata, not this file.
// From   table public.region (source people): role admin
// Slice  sha256:390ac31b

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, region as table } from "../../../sources/people/public.region.js";

/** What role admin may insert into public.region, without a check. */
const insert = allowInsert({ columns: [columns.country, columns.name, columns.taxes] });

/** What role admin may change in public.region, in every row. */
const update = allowUpdate({ columns: [columns.country, columns.name, columns.taxes] });

/** What role admin may delete from public.region, every row. */
const remove = allowDelete();

/** What role admin may read of public.region, in every row. */
export const region = tableView(table, {
  columns: [columns.country, columns.name, columns.taxes],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

// Generated: change the metadata, not this file.
// From   table public.region (source people): permissions of role heir
// Slice  sha256:2f98b782

import { tableView } from "engine/support";
import { columns, region as table } from "../../../sources/people/public.region.js";

/** Select permission of role heir on public.region, for every row. Inherited from role clerk. */
export const region = tableView(table, {
  columns: [columns.country, columns.name, columns.taxes],
  aggregations: true,
});

// Generated: change the metadata, not this file.
// From   table public.region (source people): permissions of role clerk
// Slice  sha256:f8779c4d

import { tableView } from "engine/support";
import { columns, region as table } from "../../../sources/people/public.region.js";

/** Select permission of role clerk on public.region, for every row. */
export const region = tableView(table, {
  columns: [columns.country, columns.name, columns.taxes],
  aggregations: true,
});

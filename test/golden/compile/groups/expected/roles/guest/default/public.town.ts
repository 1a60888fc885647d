// Generated: change the metadata, not this file.
// From   table public.town (source default): permissions of role guest
// Slice  sha256:62624ad3

import { tableView, toMany } from "engine/support";
import { columns, joins, town as table } from "../../../sources/default/public.town.js";
import { visit } from "./public.visit.js";

/** Select permission of role guest on public.town, for every row. */
export const town = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { visits: toMany(joins.visits, () => visit, { aggregations: true }) },
});

// Generated: change the metadata, not this file.
// From   table public.town (source default): role admin
// Slice  sha256:7db20e44

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRows,
  tableView,
  toMany,
} from "engine/support";
import { columns, joins, town as table } from "../../../sources/default/public.town.js";
import { visit } from "./public.visit.js";

/** Insert permission of role admin on public.town, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.name],
  nested: { visits: nestedRows(joins.visits, () => visit) },
});

/** Update permission of role admin on public.town, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.name] });

/** Delete permission of role admin on public.town, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.town, for every row. */
export const town = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { visits: toMany(joins.visits, () => visit, { aggregations: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

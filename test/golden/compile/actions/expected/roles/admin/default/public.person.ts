// Generated: change the metadata, not this file.
// From   table public.person (source default): role admin
// Slice  sha256:de5c4e9e

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, person as table } from "../../../sources/default/public.person.js";

/** Insert permission of role admin on public.person, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.name, columns.friend, columns.code] });

/** Update permission of role admin on public.person, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.name, columns.friend, columns.code] });

/** Delete permission of role admin on public.person, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.person, for every row. */
export const person = tableView(table, {
  columns: [columns.id, columns.name, columns.friend, columns.code],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

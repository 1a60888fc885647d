// Generated: change the metadata, not this file.
// From   table public.note (source default): role admin
// Slice  sha256:1a8f9c29

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, note as table } from "../../../sources/default/public.note.js";

/** Insert permission of role admin on public.note, without a check. */
const insert = allowInsert({
  columns: [columns.owner_id, columns.title, columns.body, columns.draft],
});

/** Update permission of role admin on public.note, for every row. */
const update = allowUpdate({
  columns: [columns.owner_id, columns.title, columns.body, columns.draft],
});

/** Delete permission of role admin on public.note, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.note, for every row. */
export const note = tableView(table, {
  columns: [columns.id, columns.owner_id, columns.title, columns.body, columns.draft],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

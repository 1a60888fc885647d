// Generated: change the metadata, not this file.
// From   table public.note (source default): role admin
// Slice  sha256:1a8f9c29

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, note as table } from "../../../sources/default/public.note.js";

/** What role admin may insert into public.note. */
const insert = allowInsert({
  columns: [columns.owner_id, columns.title, columns.body, columns.draft],
});

/** What role admin may change in public.note. */
const update = allowUpdate({
  columns: [columns.owner_id, columns.title, columns.body, columns.draft],
});

/** What role admin may delete from public.note. */
const remove = allowDelete();

/** What role admin may read of public.note. */
export const note = tableView(table, {
  columns: [columns.id, columns.owner_id, columns.title, columns.body, columns.draft],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

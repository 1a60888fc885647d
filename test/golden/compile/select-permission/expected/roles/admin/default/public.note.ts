// Generated: change the metadata, not this file.
// From   table public.note (source default): role admin
// Slice  sha256:1a8f9c29

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, note as table } from "../../../sources/default/public.note.js";

/** What role admin may insert into public.note, without a check. */
const insert = allowInsert({
  columns: [columns.owner_id, columns.title, columns.body, columns.draft],
});

/** What role admin may change in public.note, in every row. */
const update = allowUpdate({
  columns: [columns.owner_id, columns.title, columns.body, columns.draft],
});

/** What role admin may delete from public.note, every row. */
const remove = allowDelete();

/** What role admin may read of public.note, in every row. */
export const note = tableView(table, {
  columns: [columns.id, columns.owner_id, columns.title, columns.body, columns.draft],
  aggregations: true,
  insert,
  update,
  delete: remove,
});

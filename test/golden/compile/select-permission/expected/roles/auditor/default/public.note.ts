// Generated: change the metadata, not this file.
// From   table public.note (source default): permissions of role auditor
// Slice  sha256:9eac2678

import { tableView } from "engine/support";
import { columns, note as table } from "../../../sources/default/public.note.js";

/** Select permission of role auditor on public.note, for every row. */
export const note = tableView(table, {
  columns: [columns.id, columns.owner_id, columns.title, columns.body, columns.draft],
  aggregations: true,
  queryRoots: ["select_aggregate"],
});

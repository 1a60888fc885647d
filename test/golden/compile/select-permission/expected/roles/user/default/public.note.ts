// Generated: change the metadata, not this file.
// From   table public.note (source default): permissions of role user
// Slice  sha256:b0fdb6e3

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, note as table } from "../../../sources/default/public.note.js";

/**
 * Rows that role user may read: {"_or":[{"owner_id":{"_eq":"X-Engine-User-Id"}},
 * {"draft":{"_eq":false}}]}
 */
const visible: RowFilter = (note, session) =>
  sql`${note}."owner_id" = ${session("x-engine-user-id")}::text or ${note}."draft" = 'false'::bool`;

/**
 * Select permission of role user on public.note.
 * One's own notes, and what others published.
 */
export const note = tableView(table, {
  columns: [columns.id, columns.title, columns.body],
  visible,
  rowLimit: 50,
});

// Generated: change the metadata, not this file.
// From   table public.columns (source Main Shop): permissions of role Clerk
// Slice  sha256:7f6f4761

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, columns_ as table } from "../../../sources/main-shop+21/public.columns.js";

/** Rows that role Clerk may read: {"session":{"_eq":"X-Engine-Session"},"sql":{"_eq":"sql`x`"}} */
const visible: RowFilter = (columns_2, session) => sql`
  ${columns_2}."session" = ${session("x-engine-session")}::text
  and ${columns_2}."sql" = 'sql\`x\`'::text`;

/** Select permission of role Clerk on public.columns. */
export const columns_ = tableView(table, {
  columns: [columns.id, columns.sql, columns.session],
  visible,
});

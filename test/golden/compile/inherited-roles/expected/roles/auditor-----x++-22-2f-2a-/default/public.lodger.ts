// Generated: change the metadata, not this file.
// From   table public.lodger (source default): permissions of role auditor "/* x
// Slice  sha256:28cf9f84

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, lodger as table } from "../../../sources/default/public.lodger.js";

/** Rows that role auditor "/* x may read: {"note":{"_is_null":false}} */
const visible: RowFilter = (lodger) => sql`${lodger}."note" is not null`;

/** Select permission of role auditor "/* x on public.lodger. */
export const lodger = tableView(table, {
  columns: [columns.id, columns.note],
  visible,
  rowLimit: 20,
});

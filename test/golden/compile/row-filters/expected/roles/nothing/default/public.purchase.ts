// Generated: change the metadata, not this file.
// From   table public.purchase (source default): permissions of role nothing
// Slice  sha256:7434165a

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, purchase as table } from "../../../sources/default/public.purchase.js";

/** Rows that role nothing may read: {"_or":[]} */
const visible: RowFilter = () => sql`false`;

/** Select permission of role nothing on public.purchase. */
export const purchase = tableView(table, { columns: [columns.id], visible });

// Generated: change the metadata, not this file.
// From   table public.purchase (source default): permissions of role columns
// Slice  sha256:881ec3ed

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, purchase as table } from "../../../sources/default/public.purchase.js";

/** Rows that role columns may read: {"discount":{"_clt":"total"}} */
const visible: RowFilter = (purchase) => sql`${purchase}."discount" < ${purchase}."total"`;

/** Select permission of role columns on public.purchase. */
export const purchase = tableView(table, { columns: [columns.id], visible });

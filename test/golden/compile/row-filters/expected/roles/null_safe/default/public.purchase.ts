// Generated: change the metadata, not this file.
// From   table public.purchase (source default): permissions of role null_safe
// Slice  sha256:5968f919

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, purchase as table } from "../../../sources/default/public.purchase.js";

/** Rows that role null_safe may read: {"discount":{"_neq":"X-Engine-Discount"}} */
const visible: RowFilter = (purchase, session) =>
  sql`${purchase}."discount" <> ${session("x-engine-discount")}::numeric`;

/** Select permission of role null_safe on public.purchase. */
export const purchase = tableView(table, { columns: [columns.id], visible });

// Generated: change the metadata, not this file.
// From   table Shop.order (source Main Shop): permissions of role Clerk
// Slice  sha256:5c622cb2

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, order as table } from "../../../sources/main-shop+21/shop+1.order.js";

/**
 * Rows that role Clerk may read: {"two words":{"_eq":"X-Engine-Two-Words"},
 * "class":{"_neq":"${x}`"}}
 */
const visible: RowFilter = (order, session) => sql`
  ${order}."two words" = ${session("x-engine-two-words")}::text
  and ${order}."class" <> '\${x}\`'::text`;

/** Select permission of role Clerk on Shop.order. */
export const order = tableView(table, {
  columns: [columns.id, columns.kind, columns.size],
  visible,
});

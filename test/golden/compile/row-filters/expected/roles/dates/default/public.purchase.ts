// Generated: change the metadata, not this file.
// From   table public.purchase (source default): permissions of role dates
// Slice  sha256:74ebf69a

import { type RowFilter, constant, sql, tableView } from "engine/support";
import { columns, purchase as table } from "../../../sources/default/public.purchase.js";

/** Rows that role dates may read: {"ordered":{"_lt":"NOW()"},"days":{"_contains":["today"]}} */
const visible: RowFilter = (purchase) => sql`
  ${purchase}."ordered" < ${constant("NOW()")}::timestamptz
  and ${purchase}."days" @> ${constant("{today}")}::date[]`;

/** Select permission of role dates on public.purchase. */
export const purchase = tableView(table, { columns: [columns.id], visible });

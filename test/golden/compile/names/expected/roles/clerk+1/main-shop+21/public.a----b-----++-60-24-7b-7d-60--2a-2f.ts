// Generated: change the metadata, not this file.
// From   table public.a `${b}` *\/ (source Main Shop): permissions of role Clerk
// Slice  sha256:2b76db2f

import { type RowFilter, sql, tableView } from "engine/support";
import {
  a__$_b_____ as table,
  columns,
} from "../../../sources/main-shop+21/public.a----b-----++-60-24-7b-7d-60--2a-2f.js";

/** Rows that role Clerk may read: {"id":{"_gt":0}} */
const visible: RowFilter = (a__$_b_____) => sql`${a__$_b_____}."id" > '0'::int4`;

/** Select permission of role Clerk on public.a `${b}` *\/. */
export const a__$_b_____ = tableView(table, { columns: [columns.id], visible });

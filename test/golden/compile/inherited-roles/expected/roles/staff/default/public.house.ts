// Generated: change the metadata, not this file.
// From   table public.house (source default): permissions of role staff
// Slice  sha256:167f9c5b

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, house as table } from "../../../sources/default/public.house.js";

/** Rows that role staff may read: {"id":{"_eq":"X-Engine-House-Id"}} */
const visible: RowFilter = (house, session) =>
  sql`${house}."id" = ${session("x-engine-house-id")}::int4`;

/** Select permission of role staff on public.house. */
export const house = tableView(table, { columns: [columns.id], visible });

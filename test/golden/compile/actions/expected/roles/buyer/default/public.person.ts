// Generated: change the metadata, not this file.
// From   table public.person (source default): permissions of role buyer
// Slice  sha256:ff1ba5a8

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, person as table } from "../../../sources/default/public.person.js";

/** Rows that role buyer may read: {"id":{"_eq":"X-Engine-User-Id"}} */
const visible: RowFilter = (person, session) =>
  sql`${person}."id" = ${session("x-engine-user-id")}::int4`;

/** Select permission of role buyer on public.person. */
export const person = tableView(table, {
  columns: [columns.id, columns.name],
  visible,
  aggregations: true,
});

// Generated: change the metadata, not this file.
// From   table public.lodger (source default): permissions of role porter
// Slice  sha256:646907ba

import { type RowFilter, allowDelete, sql, tableView, toOne } from "engine/support";
import { columns, joins, lodger as table } from "../../../sources/default/public.lodger.js";
import { house } from "./public.house.js";

/** Rows that role porter may read: {"house_id":{"_eq":"X-Engine-House-Id"}} */
const visible: RowFilter = (lodger, session) =>
  sql`${lodger}."house_id" = ${session("x-engine-house-id")}::int4`;

/**
 * Rows that role porter may delete: {"_and":[{"house_id":{"_eq":"X-Engine-House-Id"}},
 * {"rent":{"_eq":0}}]}
 */
const deletable: RowFilter = (lodger, session) => sql`
  ${lodger}."house_id" = ${session("x-engine-house-id")}::int4
  and ${lodger}."rent" = '0'::int4`;

/** Delete permission of role porter on public.lodger. */
const remove = allowDelete({ filter: deletable });

/** Select permission of role porter on public.lodger. */
export const lodger = tableView(table, {
  columns: [columns.name, columns.note],
  relationships: { house: toOne(joins.house, () => house) },
  visible,
  aggregations: true,
  delete: remove,
});

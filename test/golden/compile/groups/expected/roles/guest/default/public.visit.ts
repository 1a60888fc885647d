// Generated: change the metadata, not this file.
// From   table public.visit (source default): permissions of role guest
// Slice  sha256:a3942817

import { type RowFilter, sql, tableView, toOne } from "engine/support";
import { columns, joins, visit as table } from "../../../sources/default/public.visit.js";
import { town } from "./public.town.js";

/** Rows that role guest may read: {"town":{"name":{"_eq":"X-Engine-Town"}}} */
const visible: RowFilter = (visit, session) => sql`
  exists (
    select 1 from "public"."town" town_1
    where town_1."id" = ${visit}."town_id"
    and town_1."name" = ${session("x-engine-town")}::text
  )`;

/** Select permission of role guest on public.visit. */
export const visit = tableView(table, {
  columns: [columns.at, columns.spent],
  relationships: { town: toOne(joins.town, () => town) },
  visible,
  rowLimit: 5,
  aggregations: true,
});

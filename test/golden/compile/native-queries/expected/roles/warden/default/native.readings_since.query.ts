// Generated: change the metadata, not this file.
// From   native query readings_since (source default): permissions of role warden
// Slice  sha256:9cb541cc

import { type RowFilter, sql, tableView, toMany, toOne } from "engine/support";
import {
  columns,
  joins,
  readings_since as table,
} from "../../../sources/default/native.readings_since.query.js";
import { gauge_reading } from "./native.gauge_reading.model.js";
import { river } from "./public.river.js";

/** Rows that role warden may read: {"river_id":{"_eq":"X-Engine-River-Id"}} */
const visible: RowFilter = (readings_since, session) =>
  sql`${readings_since}."river_id" = ${session("x-engine-river-id")}::int4`;

/** Select permission of role warden on native query readings_since. */
export const readings_since = tableView(table, {
  columns: [columns.highest],
  relationships: {
    gauges: toMany(joins.gauges, () => gauge_reading, { description: "Each by itself." }),
    river: toOne(joins.river, () => river),
  },
  visible,
});

// Generated: change the metadata, not this file.
// From   native query readings_since (source default): role admin
// Slice  sha256:710b2c9f

import { tableView, toMany, toOne } from "engine/support";
import {
  columns,
  joins,
  readings_since as table,
} from "../../../sources/default/native.readings_since.query.js";
import { gauge_reading } from "./native.gauge_reading.model.js";
import { river } from "./public.river.js";

/** Select permission of role admin on native query readings_since, for every row. */
export const readings_since = tableView(table, {
  columns: [columns.river_id, columns.highest],
  relationships: {
    gauges: toMany(joins.gauges, () => gauge_reading, { description: "Each by itself." }),
    river: toOne(joins.river, () => river),
  },
});

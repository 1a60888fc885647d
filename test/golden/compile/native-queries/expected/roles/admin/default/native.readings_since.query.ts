// Generated: change the metadata, not this file.
// From   native query readings_since (source default): role admin
// Slice  sha256:243a7ae2

import { tableView, toOne } from "engine/support";
import {
  columns,
  joins,
  readings_since as table,
} from "../../../sources/default/native.readings_since.query.js";
import { river } from "./public.river.js";

/** What role admin may read of native query readings_since, in every row. */
export const readings_since = tableView(table, {
  columns: [columns.river_id, columns.highest],
  relationships: { river: toOne(joins.river, () => river) },
});

// Generated: change the metadata, not this file.
// From   logical model gauge_reading (source default): role admin
// Slice  sha256:53d848f1

import { tableView } from "engine/support";
import {
  columns,
  gauge_reading as table,
} from "../../../sources/default/native.gauge_reading.model.js";

/** Select permission of role admin on logical model gauge_reading, for every row. */
export const gauge_reading = tableView(table, { columns: [columns.gauge, columns.level] });

// Generated: change the metadata, not this file.
// From   logical model gauge_reading (source default): permissions of role warden
// Slice  sha256:72bd6c07

import { type RowFilter, sql, tableView } from "engine/support";
import {
  columns,
  gauge_reading as table,
} from "../../../sources/default/native.gauge_reading.model.js";

/** Rows that role warden may read: {"level":{"_gt":0}} */
const visible: RowFilter = (gauge_reading) => sql`${gauge_reading}."level" > '0'::numeric`;

/** Select permission of role warden on logical model gauge_reading. */
export const gauge_reading = tableView(table, { columns: [columns.level], visible });

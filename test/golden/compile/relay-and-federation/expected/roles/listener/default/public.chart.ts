// Generated: change the metadata, not this file.
// From   table public.chart (source default): permissions of role listener
// Slice  sha256:89bc4831

import { tableView } from "engine/support";
import { chart as table, columns } from "../../../sources/default/public.chart.js";

/** Select permission of role listener on public.chart, for every row. */
export const chart = tableView(table, { columns: [columns.id, columns.plays] });

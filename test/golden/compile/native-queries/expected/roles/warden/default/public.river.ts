// Generated: change the metadata, not this file.
// From   table public.river (source default): permissions of role warden
// Slice  sha256:a952b2a6

import { tableView, toMany } from "engine/support";
import { columns, joins, river as table } from "../../../sources/default/public.river.js";
import { readings_since } from "./native.readings_since.query.js";

/** Select permission of role warden on public.river, for every row. */
export const river = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: { readings: toMany(joins.readings, () => readings_since) },
});

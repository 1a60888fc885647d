// Generated: change the metadata, not this file.
// From   table public.house (source default): permissions of role porter
// Slice  sha256:6a7449d3

import { tableView } from "engine/support";
import { columns, house as table } from "../../../sources/default/public.house.js";

/** Select permission of role porter on public.house, for every row. */
export const house = tableView(table, { columns: [columns.street] });

// Generated: change the metadata, not this file.
// From   table public.house (source default): permissions of role lodger
// Slice  sha256:bb311d3d

import { tableView } from "engine/support";
import { columns, house as table } from "../../../sources/default/public.house.js";

/** Select permission of role lodger on public.house, for every row. */
export const house = tableView(table, { columns: [columns.street] });

// Generated: change the metadata, not this file.
// From   table public.island (source default): permissions of role reader
// Slice  sha256:78410ad8

import { tableView } from "engine/support";
import { columns, island as table } from "../../../sources/default/public.island.js";

/** Select permission of role reader on public.island, for every row. */
export const island = tableView(table, { columns: [columns.name] });

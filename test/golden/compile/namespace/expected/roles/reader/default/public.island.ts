// Generated: change the metadata, not this file.
// From   table public.island (source default): permissions of role reader
// Slice  sha256:78410ad8

import { tableView } from "engine/support";
import { columns, island as table } from "../../../sources/default/public.island.js";

/** What role reader may read of public.island, in every row. */
export const island = tableView(table, { columns: [columns.name] });

// Generated: change the metadata, not this file.
// From   table public.island (source default): permissions of role listener
// Slice  sha256:71d4aa09

import { tableView } from "engine/support";
import { columns, island as table } from "../../../sources/default/public.island.js";

/** Select permission of role listener on public.island, for every row. */
export const island = tableView(table, { columns: [columns.id, columns.name], queryRoots: [] });

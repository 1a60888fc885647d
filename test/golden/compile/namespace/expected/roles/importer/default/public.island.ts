// Generated: change the metadata, not this file.
// From   table public.island (source default): permissions of role importer
// Slice  sha256:0894c4d6

import { allowInsert, tableView } from "engine/support";
import { columns, island as table } from "../../../sources/default/public.island.js";

/** Insert permission of role importer on public.island, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.name], backendOnly: true });

/** Write permissions of role importer on public.island. */
export const island = tableView(table, { readable: false, insert });

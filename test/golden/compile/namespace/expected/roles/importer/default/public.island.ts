// Generated: change the metadata, not this file.
// From   table public.island (source default): permissions of role importer
// Slice  sha256:0894c4d6

import { allowInsert, tableView } from "engine/support";
import { columns, island as table } from "../../../sources/default/public.island.js";

/** What role importer may insert into public.island, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.name], backendOnly: true });

/** What role importer may do with public.island. */
export const island = tableView(table, { readable: false, insert });

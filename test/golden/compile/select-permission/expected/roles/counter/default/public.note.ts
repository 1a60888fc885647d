// Generated: change the metadata, not this file.
// From   table public.note (source default): permissions of role counter
// Slice  sha256:107df83a

import { tableView } from "engine/support";
import { note as table } from "../../../sources/default/public.note.js";

/** Select permission of role counter on public.note, for every row. */
export const note = tableView(table, { columns: [], aggregations: true });

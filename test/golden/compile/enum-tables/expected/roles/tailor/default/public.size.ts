// Generated: change the metadata, not this file.
// From   table public.size (source default): permissions of role tailor
// Slice  sha256:acb19cb1

import { tableView } from "engine/support";
import { columns, size as table } from "../../../sources/default/public.size.js";

/** Select permission of role tailor on public.size, for every row. */
export const size = tableView(table, { columns: [columns.name] });

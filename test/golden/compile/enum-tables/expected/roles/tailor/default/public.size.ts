// Generated: change the metadata, not this file.
// From   table public.size (source default): permissions of role tailor
// Slice  sha256:acb19cb1

import { tableView } from "engine/support";
import { columns, size as table } from "../../../sources/default/public.size.js";

/** What role tailor may read of public.size, in every row. */
export const size = tableView(table, { columns: [columns.name] });

// Generated: change the metadata, not this file.
// From   table public.shirt (source default): permissions of role customer
// Slice  sha256:d03265b7

import { tableView } from "engine/support";
import { columns, shirt as table } from "../../../sources/default/public.shirt.js";

/** Select permission of role customer on public.shirt, for every row. */
export const shirt = tableView(table, { columns: [columns.id, columns.color], aggregations: true });

// Generated: change the metadata, not this file.
// From   table public.house (source default): permissions of role lodger
// Slice  sha256:bb311d3d

import { tableView } from "engine/support";
import { columns, house as table } from "../../../sources/default/public.house.js";

/** What role lodger may read of public.house, in every row. */
export const house = tableView(table, { columns: [columns.street] });

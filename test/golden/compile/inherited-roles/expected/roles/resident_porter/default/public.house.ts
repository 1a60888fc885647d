// Generated: change the metadata, not this file.
// From   table public.house (source default): permissions of role resident_porter
// Slice  sha256:3e56f00f

import { tableView } from "engine/support";
import { columns, house as table } from "../../../sources/default/public.house.js";

/**
 * Select permission of role resident_porter on public.house, for every row. Inherited from roles
 * lodger, porter.
 */
export const house = tableView(table, { columns: [columns.street] });

// Generated: change the metadata, not this file.
// From   table public.house (source default): permissions of role lodger
// Slice  sha256:356093c8

import { allowInsert, tableView } from "engine/support";
import { columns, house as table } from "../../../sources/default/public.house.js";

/** Insert permission of role lodger on public.house, without a check. */
const insert = allowInsert({ columns: [columns.street] });

/** Write permissions of role lodger on public.house. */
export const house = tableView(table, { readable: false, insert });

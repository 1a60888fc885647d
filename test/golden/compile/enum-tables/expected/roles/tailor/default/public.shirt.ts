// Generated: change the metadata, not this file.
// From   table public.shirt (source default): permissions of role tailor
// Slice  sha256:7ba22584

import { type RowFilter, sql, tableView } from "engine/support";
import { columns, shirt as table } from "../../../sources/default/public.shirt.js";

/** Rows that role tailor may read: {"color":{"_eq":"red"}} */
const visible: RowFilter = (shirt) => sql`${shirt}."color" = 'red'::varchar`;

/** Select permission of role tailor on public.shirt. */
export const shirt = tableView(table, { columns: [columns.id, columns.size], visible });

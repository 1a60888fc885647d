// Generated: change the metadata, not this file.
// From   table public.author (source default): permissions of role guest
// Slice  sha256:617ec918

import { type RowFilter, sql, tableView } from "engine/support";
import { author as table, columns } from "../../../sources/default/public.author.js";

/** Rows that role guest may read: {"published":{"_eq":true}} */
const visible: RowFilter = (author) => sql`${author}."published" = 'true'::bool`;

/** Select permission of role guest on public.author. */
export const author = tableView(table, { columns: [columns.id], visible });

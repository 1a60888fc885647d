// Generated: change the metadata, not this file.
// From   table public.house (source default): permissions of role porter
// Slice  sha256:f4155925

import { type RowFilter, allowInsert, sql, tableView } from "engine/support";
import { columns, house as table } from "../../../sources/default/public.house.js";

/** Check of rows that role porter inserts: {"id":{"_lt":100}} */
const insertCheck: RowFilter = (house) => sql`${house}."id" < '100'::int4`;

/** Insert permission of role porter on public.house. */
const insert = allowInsert({ columns: [columns.id, columns.street], check: insertCheck });

/** Write permissions of role porter on public.house. */
export const house = tableView(table, { readable: false, insert });

// Generated: change the metadata, not this file.
// From   table public.house (source default): permissions of role resident_porter
// Slice  sha256:15341ae7

import { type RowFilter, allowInsert, anyInsertOf, sql, tableView } from "engine/support";
import { columns, house as table } from "../../../sources/default/public.house.js";

/** Insert permission of role lodger on public.house, without a check. */
const insertOfLodger = allowInsert({ columns: [columns.street] });

/** Check of rows that role porter inserts: {"id":{"_lt":100}} */
const insertCheckOfPorter: RowFilter = (house) => sql`${house}."id" < '100'::int4`;

/** Insert permission of role porter on public.house. */
const insertOfPorter = allowInsert({
  columns: [columns.id, columns.street],
  check: insertCheckOfPorter,
});

/**
 * Insert permission of role resident_porter on public.house. Merged from roles lodger, porter: each
 * change needs one of them.
 */
const insert = anyInsertOf(insertOfLodger, insertOfPorter);

/** Write permissions of role resident_porter on public.house. */
export const house = tableView(table, { readable: false, insert });

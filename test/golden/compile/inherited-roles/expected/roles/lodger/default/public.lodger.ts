// Generated: change the metadata, not this file.
// From   table public.lodger (source default): permissions of role lodger
// Slice  sha256:046e4771

import { type RowFilter, allowUpdate, sql, tableView, toOne } from "engine/support";
import {
  columns,
  computedFields,
  joins,
  lodger as table,
} from "../../../sources/default/public.lodger.js";
import { house } from "./public.house.js";

/** Rows that role lodger may read: {"id":{"_eq":"X-Engine-Lodger-Id"}} */
const visible: RowFilter = (lodger, session) =>
  sql`${lodger}."id" = ${session("x-engine-lodger-id")}::int4`;

/** Rows that role lodger may update: {"id":{"_eq":"X-Engine-Lodger-Id"}} */
const updatable: RowFilter = (lodger, session) =>
  sql`${lodger}."id" = ${session("x-engine-lodger-id")}::int4`;

/**
 * Update permission of role lodger on public.lodger.
 * Lodgers may change their names.
 */
const update = allowUpdate({ columns: [columns.name], filter: updatable });

/** Select permission of role lodger on public.lodger. */
export const lodger = tableView(table, {
  columns: [columns.id, columns.name, columns.rent],
  relationships: { house: toOne(joins.house, () => house) },
  computedFields: { yearly_rent: computedFields.yearly_rent },
  visible,
  rowLimit: 1,
  update,
});

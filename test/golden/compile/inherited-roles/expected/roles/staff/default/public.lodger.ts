// Generated: change the metadata, not this file.
// From   table public.lodger (source default): permissions of role staff
// Slice  sha256:dfac67f7

import {
  type RowFilter,
  allowDelete,
  allowUpdate,
  anyRowOf,
  computedWhere,
  sql,
  tableView,
  toOne,
  visibleWhere,
} from "engine/support";
import {
  columns,
  computedFields,
  joins,
  lodger as table,
} from "../../../sources/default/public.lodger.js";
import { house } from "./public.house.js";

/** Rows that role auditor "/* x may read: {"note":{"_is_null":false}} */
const rowsOfAuditor___X: RowFilter = (lodger) => sql`${lodger}."note" is not null`;

/** Rows that role lodger may read: {"id":{"_eq":"X-Engine-Lodger-Id"}} */
const rowsOfLodger: RowFilter = (lodger, session) =>
  sql`${lodger}."id" = ${session("x-engine-lodger-id")}::int4`;

/** Rows that role porter may read: {"house_id":{"_eq":"X-Engine-House-Id"}} */
const rowsOfPorter: RowFilter = (lodger, session) =>
  sql`${lodger}."house_id" = ${session("x-engine-house-id")}::int4`;

/** Rows that role staff may update: {"id":{"_eq":"X-Engine-Lodger-Id"}} */
const updatable: RowFilter = (lodger, session) =>
  sql`${lodger}."id" = ${session("x-engine-lodger-id")}::int4`;

/**
 * Update permission of role staff on public.lodger. Inherited from role lodger.
 * Lodgers may change their names.
 */
const update = allowUpdate({ columns: [columns.name], filter: updatable });

/** Delete permission of role staff on public.lodger, for every row. */
const remove = allowDelete();

/**
 * Select permission of role staff on public.lodger. Inherited from roles auditor "/* x, lodger,
 * porter.
 */
export const lodger = tableView(table, {
  columns: [
    /** case when <rows that role auditor "/* x or lodger may read> then id end */
    visibleWhere(columns.id, anyRowOf(rowsOfAuditor___X, rowsOfLodger)),
    /** case when <rows that role lodger or porter may read> then name end */
    visibleWhere(columns.name, anyRowOf(rowsOfLodger, rowsOfPorter)),
    /** case when <rows that role lodger may read> then rent end */
    visibleWhere(columns.rent, rowsOfLodger),
    /** case when <rows that role auditor "/* x or porter may read> then note end */
    visibleWhere(columns.note, anyRowOf(rowsOfAuditor___X, rowsOfPorter)),
  ],
  relationships: { house: toOne(joins.house, () => house) },
  computedFields: {
    /** case when <rows that role lodger may read> then yearly_rent end */
    yearly_rent: computedWhere(computedFields.yearly_rent, rowsOfLodger),
  },
  visible: anyRowOf(rowsOfAuditor___X, rowsOfLodger, rowsOfPorter),
  rowLimit: 20,
  aggregations: true,
  update,
  delete: remove,
});

// Generated: change the metadata, not this file.
// From   table public.lodger (source default): permissions of role resident_porter
// Slice  sha256:05f38e67

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

/** Rows that role lodger may read: {"id":{"_eq":"X-Engine-Lodger-Id"}} */
const rowsOfLodger: RowFilter = (lodger, session) =>
  sql`${lodger}."id" = ${session("x-engine-lodger-id")}::int4`;

/** Rows that role porter may read: {"house_id":{"_eq":"X-Engine-House-Id"}} */
const rowsOfPorter: RowFilter = (lodger, session) =>
  sql`${lodger}."house_id" = ${session("x-engine-house-id")}::int4`;

/** Rows that role resident_porter may update: {"id":{"_eq":"X-Engine-Lodger-Id"}} */
const updatable: RowFilter = (lodger, session) =>
  sql`${lodger}."id" = ${session("x-engine-lodger-id")}::int4`;

/**
 * Update permission of role resident_porter on public.lodger. Inherited from role lodger.
 * Lodgers may change their names.
 */
const update = allowUpdate({ columns: [columns.name], filter: updatable });

/**
 * Rows that role resident_porter may delete: {"_and":[{"house_id":{"_eq":"X-Engine-House-Id"}},
 * {"rent":{"_eq":0}}]}
 */
const deletable: RowFilter = (lodger, session) => sql`
  ${lodger}."house_id" = ${session("x-engine-house-id")}::int4
  and ${lodger}."rent" = '0'::int4`;

/** Delete permission of role resident_porter on public.lodger. Inherited from role porter. */
const remove = allowDelete({ filter: deletable });

/**
 * Select permission of role resident_porter on public.lodger. Inherited from roles lodger, porter.
 */
export const lodger = tableView(table, {
  columns: [
    /** case when <rows that role lodger may read> then id end */
    visibleWhere(columns.id, rowsOfLodger),
    columns.name,
    /** case when <rows that role lodger may read> then rent end */
    visibleWhere(columns.rent, rowsOfLodger),
    /** case when <rows that role porter may read> then note end */
    visibleWhere(columns.note, rowsOfPorter),
  ],
  relationships: { house: toOne(joins.house, () => house) },
  computedFields: {
    /** case when <rows that role lodger may read> then yearly_rent end */
    yearly_rent: computedWhere(computedFields.yearly_rent, rowsOfLodger),
  },
  visible: anyRowOf(rowsOfLodger, rowsOfPorter),
  rowLimit: 1,
  aggregations: true,
  update,
  delete: remove,
});

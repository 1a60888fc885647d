// Generated: change the metadata, not this file.
// From   table public.lodger (source default): permissions of role deputy
// Slice  sha256:a7cefae8

import {
  type RowFilter,
  allowDelete,
  allowInsert,
  allowUpdate,
  anyDeleteOf,
  anyInsertOf,
  anyRowOf,
  anyUpdateOf,
  nestedRow,
  preset,
  sql,
  tableView,
  visibleWhere,
} from "engine/support";
import { columns, joins, lodger as table } from "../../../sources/default/public.lodger.js";
import { house } from "./public.house.js";

/** Rows that role lodger may read: {"id":{"_eq":"X-Engine-Lodger-Id"}} */
const rowsOfLodger: RowFilter = (lodger, session) =>
  sql`${lodger}."id" = ${session("x-engine-lodger-id")}::int4`;

/** Rows that role porter may read: {"house_id":{"_eq":"X-Engine-House-Id"}} */
const rowsOfPorter: RowFilter = (lodger, session) =>
  sql`${lodger}."house_id" = ${session("x-engine-house-id")}::int4`;

/** Check of rows that role lodger inserts: {"name":{"_ne":""}} */
const insertCheckOfLodger: RowFilter = (lodger) => sql`${lodger}."name" <> ''::text`;

/** Insert permission of role lodger on public.lodger. */
const insertOfLodger = allowInsert({
  columns: [columns.id, columns.name],
  presets: [preset(`"rent"`, () => sql`'10'::int4`)],
  check: insertCheckOfLodger,
  nested: { house: nestedRow(joins.house, () => house) },
});

/** Check of rows that role porter inserts: {"house_id":{"_eq":"X-Engine-House-Id"}} */
const insertCheckOfPorter: RowFilter = (lodger, session) =>
  sql`${lodger}."house_id" = ${session("x-engine-house-id")}::int4`;

/** Insert permission of role porter on public.lodger. */
const insertOfPorter = allowInsert({
  columns: [columns.id, columns.name, columns.note],
  presets: [preset(`"rent"`, () => sql`'10'::int4`)],
  check: insertCheckOfPorter,
  nested: { house: nestedRow(joins.house, () => house) },
});

/**
 * Insert permission of role deputy on public.lodger. Inherited from role resident_porter. Merged
 * from roles lodger, porter: each change needs one of them.
 */
const insert = anyInsertOf(insertOfLodger, insertOfPorter);

/** Rows that role lodger may update: {"id":{"_eq":"X-Engine-Lodger-Id"}} */
const updatableOfLodger: RowFilter = (lodger, session) =>
  sql`${lodger}."id" = ${session("x-engine-lodger-id")}::int4`;

/** Check of rows after an update by role lodger: {"name":{"_ne":""}} */
const updateCheckOfLodger: RowFilter = (lodger) => sql`${lodger}."name" <> ''::text`;

/**
 * Update permission of role lodger on public.lodger.
 * Lodgers may change their names.
 */
const updateOfLodger = allowUpdate({
  columns: [columns.name],
  filter: updatableOfLodger,
  check: updateCheckOfLodger,
});

/** Rows that role porter may update: {"house_id":{"_eq":"X-Engine-House-Id"}} */
const updatableOfPorter: RowFilter = (lodger, session) =>
  sql`${lodger}."house_id" = ${session("x-engine-house-id")}::int4`;

/** Check of rows after an update by role porter: {"house_id":{"_eq":"X-Engine-House-Id"}} */
const updateCheckOfPorter: RowFilter = (lodger, session) =>
  sql`${lodger}."house_id" = ${session("x-engine-house-id")}::int4`;

/** Update permission of role porter on public.lodger. */
const updateOfPorter = allowUpdate({
  columns: [columns.name, columns.note],
  filter: updatableOfPorter,
  check: updateCheckOfPorter,
});

/**
 * Update permission of role deputy on public.lodger. Inherited from role resident_porter. Merged
 * from roles lodger, porter: each change needs one of them.
 */
const update = anyUpdateOf(updateOfLodger, updateOfPorter);

/** Rows that role lodger may delete: {"rent":{"_eq":0}} */
const deletableOfLodger: RowFilter = (lodger) => sql`${lodger}."rent" = '0'::int4`;

/** Delete permission of role lodger on public.lodger. */
const removeOfLodger = allowDelete({ filter: deletableOfLodger, backendOnly: true });

/** Rows that role porter may delete: {"house_id":{"_eq":"X-Engine-House-Id"}} */
const deletableOfPorter: RowFilter = (lodger, session) =>
  sql`${lodger}."house_id" = ${session("x-engine-house-id")}::int4`;

/** Delete permission of role porter on public.lodger. */
const removeOfPorter = allowDelete({ filter: deletableOfPorter, backendOnly: true });

/**
 * Delete permission of role deputy on public.lodger. Inherited from role resident_porter. Merged
 * from roles lodger, porter: each change needs one of them.
 */
const remove = anyDeleteOf(removeOfLodger, removeOfPorter);

/** Select permission of role deputy on public.lodger. Inherited from roles lodger, porter. */
export const lodger = tableView(table, {
  columns: [
    columns.id,
    columns.name,
    /** case when <rows that role porter may read> then note end */
    visibleWhere(columns.note, rowsOfPorter),
  ],
  visible: anyRowOf(rowsOfLodger, rowsOfPorter),
  insert,
  update,
  delete: remove,
});

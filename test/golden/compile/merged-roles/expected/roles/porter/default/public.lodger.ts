// Generated: change the metadata, not this file.
// From   table public.lodger (source default): permissions of role porter
// Slice  sha256:cc9bd30b

import {
  type RowFilter,
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRow,
  preset,
  sql,
  tableView,
} from "engine/support";
import { columns, joins, lodger as table } from "../../../sources/default/public.lodger.js";
import { house } from "./public.house.js";

/** Rows that role porter may read: {"house_id":{"_eq":"X-Engine-House-Id"}} */
const visible: RowFilter = (lodger, session) =>
  sql`${lodger}."house_id" = ${session("x-engine-house-id")}::int4`;

/** Check of rows that role porter inserts: {"house_id":{"_eq":"X-Engine-House-Id"}} */
const insertCheck: RowFilter = (lodger, session) =>
  sql`${lodger}."house_id" = ${session("x-engine-house-id")}::int4`;

/** Insert permission of role porter on public.lodger. */
const insert = allowInsert({
  columns: [columns.id, columns.name, columns.note],
  presets: [preset(`"rent"`, () => sql`'10'::int4`)],
  check: insertCheck,
  nested: { house: nestedRow(joins.house, () => house) },
});

/** Rows that role porter may update: {"house_id":{"_eq":"X-Engine-House-Id"}} */
const updatable: RowFilter = (lodger, session) =>
  sql`${lodger}."house_id" = ${session("x-engine-house-id")}::int4`;

/** Check of rows after an update by role porter: {"house_id":{"_eq":"X-Engine-House-Id"}} */
const updateCheck: RowFilter = (lodger, session) =>
  sql`${lodger}."house_id" = ${session("x-engine-house-id")}::int4`;

/** Update permission of role porter on public.lodger. */
const update = allowUpdate({
  columns: [columns.name, columns.note],
  filter: updatable,
  check: updateCheck,
});

/** Rows that role porter may delete: {"house_id":{"_eq":"X-Engine-House-Id"}} */
const deletable: RowFilter = (lodger, session) =>
  sql`${lodger}."house_id" = ${session("x-engine-house-id")}::int4`;

/** Delete permission of role porter on public.lodger. */
const remove = allowDelete({ filter: deletable, backendOnly: true });

/** Select permission of role porter on public.lodger. */
export const lodger = tableView(table, {
  columns: [columns.id, columns.name, columns.note],
  visible,
  insert,
  update,
  delete: remove,
});

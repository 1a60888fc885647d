// Generated: change the metadata, not this file.
// From   table public.lodger (source default): permissions of role lodger
// Slice  sha256:e5b051bc

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

/** Rows that role lodger may read: {"id":{"_eq":"X-Engine-Lodger-Id"}} */
const visible: RowFilter = (lodger, session) =>
  sql`${lodger}."id" = ${session("x-engine-lodger-id")}::int4`;

/** Check of rows that role lodger inserts: {"name":{"_ne":""}} */
const insertCheck: RowFilter = (lodger) => sql`${lodger}."name" <> ''::text`;

/** Insert permission of role lodger on public.lodger. */
const insert = allowInsert({
  columns: [columns.id, columns.name],
  presets: [preset(`"rent"`, () => sql`'10'::int4`)],
  check: insertCheck,
  nested: { house: nestedRow(joins.house, () => house) },
});

/** Rows that role lodger may update: {"id":{"_eq":"X-Engine-Lodger-Id"}} */
const updatable: RowFilter = (lodger, session) =>
  sql`${lodger}."id" = ${session("x-engine-lodger-id")}::int4`;

/** Check of rows after an update by role lodger: {"name":{"_ne":""}} */
const updateCheck: RowFilter = (lodger) => sql`${lodger}."name" <> ''::text`;

/**
 * Update permission of role lodger on public.lodger.
 * Lodgers may change their names.
 */
const update = allowUpdate({ columns: [columns.name], filter: updatable, check: updateCheck });

/** Rows that role lodger may delete: {"rent":{"_eq":0}} */
const deletable: RowFilter = (lodger) => sql`${lodger}."rent" = '0'::int4`;

/** Delete permission of role lodger on public.lodger. */
const remove = allowDelete({ filter: deletable, backendOnly: true });

/** Select permission of role lodger on public.lodger. */
export const lodger = tableView(table, {
  columns: [columns.id, columns.name],
  visible,
  insert,
  update,
  delete: remove,
});

// Generated: change the metadata, not this file.
// From   table public.person (source default): role admin
// Slice  sha256:ef17fa0a

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRow,
  nestedRows,
  tableView,
  toMany,
  toOne,
} from "engine/support";
import { columns, joins, person as table } from "../../../sources/default/public.person.js";
import { booking } from "./public.booking.js";
import { secret } from "./public.secret.js";

/** Insert permission of role admin on public.person, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.name, columns.boss_id, columns.email],
  nested: {
    bookings: nestedRows(joins.bookings, () => booking),
    boss: nestedRow(joins.boss, () => person),
    namesake: nestedRow(joins.namesake, () => person),
    secret: nestedRow(joins.secret, () => secret),
    staff: nestedRows(joins.staff, () => person),
  },
});

/** Update permission of role admin on public.person, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.name, columns.boss_id, columns.email] });

/** Delete permission of role admin on public.person, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.person, for every row. */
export const person = tableView(table, {
  columns: [columns.id, columns.name, columns.boss_id, columns.email],
  relationships: {
    bookings: toMany(joins.bookings, () => booking, { aggregations: true }),
    boss: toOne(joins.boss, () => person),
    namesake: toOne(joins.namesake, () => person),
    secret: toOne(joins.secret, () => secret),
    staff: toMany(joins.staff, () => person, { aggregations: true }),
  },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

// Generated: change the metadata, not this file.
// From   table public.person (source default): permissions of role user
// Slice  sha256:0d3af3a2

import { tableView, toMany, toOne } from "engine/support";
import { columns, joins, person as table } from "../../../sources/default/public.person.js";
import { booking } from "./public.booking.js";

/** Select permission of role user on public.person, for every row. */
export const person = tableView(table, {
  columns: [columns.id, columns.name],
  relationships: {
    bookings: toMany(joins.bookings, () => booking),
    boss: toOne(joins.boss, () => person),
    namesake: toOne(joins.namesake, () => person),
    staff: toMany(joins.staff, () => person, { aggregations: true }),
  },
  aggregations: true,
});

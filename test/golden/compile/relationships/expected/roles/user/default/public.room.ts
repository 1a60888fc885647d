// Generated: change the metadata, not this file.
// From   table public.room (source default): permissions of role user
// Slice  sha256:db6853bb

import { tableView, toMany } from "engine/support";
import { columns, joins, room as table } from "../../../sources/default/public.room.js";
import { booking } from "./public.booking.js";

/** Select permission of role user on public.room, for every row. */
export const room = tableView(table, {
  columns: [columns.seats],
  relationships: { bookings: toMany(joins.bookings, () => booking) },
});

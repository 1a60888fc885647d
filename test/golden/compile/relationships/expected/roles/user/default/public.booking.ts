// Generated: change the metadata, not this file.
// From   table public.booking (source default): permissions of role user
// Slice  sha256:cf508946

import { tableView, toOne } from "engine/support";
import { booking as table, columns, joins } from "../../../sources/default/public.booking.js";
import { person } from "./public.person.js";
import { room } from "./public.room.js";

/** Select permission of role user on public.booking, for every row. */
export const booking = tableView(table, {
  columns: [columns.id],
  relationships: {
    person: toOne(joins.person, () => person, { required: true }),
    room: toOne(joins.room, () => room),
  },
});

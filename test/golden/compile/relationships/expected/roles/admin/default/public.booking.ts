// Generated: change the metadata, not this file.
// From   table public.booking (source default): role admin
// Slice  sha256:a3daa054

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { booking as table, columns, joins } from "../../../sources/default/public.booking.js";
import { person } from "./public.person.js";
import { room } from "./public.room.js";

/** Insert permission of role admin on public.booking, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.person_id, columns.building, columns.number],
  nested: {
    person: nestedRow(joins.person, () => person),
    room: nestedRow(joins.room, () => room),
  },
});

/** Update permission of role admin on public.booking, for every row. */
const update = allowUpdate({
  columns: [columns.id, columns.person_id, columns.building, columns.number],
});

/** Delete permission of role admin on public.booking, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.booking, for every row. */
export const booking = tableView(table, {
  columns: [columns.id, columns.person_id, columns.building, columns.number],
  relationships: {
    person: toOne(joins.person, () => person, { required: true }),
    room: toOne(joins.room, () => room),
  },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

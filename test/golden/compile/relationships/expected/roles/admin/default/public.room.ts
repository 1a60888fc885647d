// Generated: change the metadata, not this file.
// From   table public.room (source default): role admin
// Slice  sha256:20acf650

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRows,
  tableView,
  toMany,
} from "engine/support";
import { columns, joins, room as table } from "../../../sources/default/public.room.js";
import { booking } from "./public.booking.js";

/** Insert permission of role admin on public.room, without a check. */
const insert = allowInsert({
  columns: [columns.building, columns.number, columns.seats],
  nested: { bookings: nestedRows(joins.bookings, () => booking) },
});

/** Update permission of role admin on public.room, for every row. */
const update = allowUpdate({ columns: [columns.building, columns.number, columns.seats] });

/** Delete permission of role admin on public.room, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.room, for every row. */
export const room = tableView(table, {
  columns: [columns.building, columns.number, columns.seats],
  relationships: { bookings: toMany(joins.bookings, () => booking, { aggregations: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});

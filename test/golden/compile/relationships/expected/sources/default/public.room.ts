// Generated: change the metadata, not this file.
// From   table public.room (source default)
// Slice  sha256:361a557e

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertAfter,
  joinOn,
  pg,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.room. */
export const columns = {
  building: column("building", `"building"`, pg("text")),
  number: column("number", `"number"`, pg("int4")),
  seats: column("seats", `"seats"`, pg("int4")),
};

/** Table public.room. */
export const room = defineTable({
  source: defaultSource,
  sql: `"public"."room"`,
  type: "room",
  displayName: "room",
  primaryKey: [columns.building, columns.number],
  constraints: [constraint("room_pkey", `"room_pkey"`, ["building", "number"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** building, number of public.booking are a foreign key to public.room. */
  bookings: joinOn(
    (room, booking) => sql`${booking}."building" = ${room}."building" and ${booking}."number" = ${room}."number"`,
    {
      unique: false,
      insert: insertAfter([
        copyColumn(`"building"`, `"building"`, pg("text")),
        copyColumn(`"number"`, `"number"`, pg("int4")),
      ]),
    },
  ),
};

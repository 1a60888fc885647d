// Generated: change the metadata, not this file.
// From   table public.booking (source default)
// Slice  sha256:abbb2622

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertBefore,
  joinOn,
  pg,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.booking. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  person_id: column("person_id", `"person_id"`, pg("int4")),
  building: column("building", `"building"`, pg("text")),
  number: column("number", `"number"`, pg("int4"), { nullable: true }),
};

/** Table public.booking. */
export const booking = defineTable({
  source: defaultSource,
  sql: `"public"."booking"`,
  type: "booking",
  displayName: "booking",
  primaryKey: [columns.id],
  constraints: [constraint("booking_pkey", `"booking_pkey"`, ["id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** person_id is a foreign key to public.person. */
  person: joinOn((booking, person) => sql`${person}."id" = ${booking}."person_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"person_id"`, pg("int4"))]),
  }),
  /** building, number are a foreign key to public.room. */
  room: joinOn(
    (booking, room) => sql`${room}."building" = ${booking}."building" and ${room}."number" = ${booking}."number"`,
    {
      unique: true,
      insert: insertBefore([
        copyColumn(`"building"`, `"building"`, pg("text")),
        copyColumn(`"number"`, `"number"`, pg("int4")),
      ]),
    },
  ),
};

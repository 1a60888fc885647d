// Generated: change the metadata, not this file.
// From   table public.person (source default)
// Slice  sha256:1f9de2f1

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertAfter,
  insertBefore,
  joinOn,
  pg,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.person. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  name: column("name", `"name"`, pg("text")),
  boss_id: column("boss_id", `"boss_id"`, pg("int4"), { nullable: true }),
  email: column("email", `"email"`, pg("text"), { nullable: true }),
};

/** Table public.person. */
export const person = defineTable({
  source: defaultSource,
  sql: `"public"."person"`,
  type: "person",
  displayName: "person",
  primaryKey: [columns.id],
  constraints: [
    constraint("person_pkey", `"person_pkey"`, ["id"]),
    constraint("person_email_key", `"person_email_key"`, ["email"]),
  ],
});

/** Join conditions of relationships. */
export const joins = {
  /** person_id of public.booking is a foreign key to public.person. */
  bookings: joinOn((person, booking) => sql`${booking}."person_id" = ${person}."id"`, {
    unique: false,
    insert: insertAfter([copyColumn(`"id"`, `"person_id"`, pg("int4"))]),
  }),
  /** boss_id is a foreign key to public.person. */
  boss: joinOn((person, boss) => sql`${boss}."id" = ${person}."boss_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"boss_id"`, pg("int4"))]),
  }),
  /**
   * Somebody whose address is this name. Joins name to email of public.person, by manual
   * configuration.
   */
  namesake: joinOn((person, namesake) => sql`${namesake}."email" = ${person}."name"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"email"`, `"name"`, pg("text"))]),
  }),
  /** person_id of public.secret is a foreign key to public.person. */
  secret: joinOn((person, secret) => sql`${secret}."person_id" = ${person}."id"`, {
    unique: true,
    insert: insertAfter([copyColumn(`"id"`, `"person_id"`, pg("int4"))]),
  }),
  /** boss_id of public.person is a foreign key to public.person. */
  staff: joinOn((person, staff) => sql`${staff}."boss_id" = ${person}."id"`, {
    unique: false,
    insert: insertAfter([copyColumn(`"id"`, `"boss_id"`, pg("int4"))]),
  }),
};

// Generated: change the metadata, not this file.
// From   custom type Order; role admin
// Slice  sha256:83ccc970

import { column, joinOn, outputRows, pg, sql, toMany, toOne } from "engine/support";
import { defaultSource } from "../../../sources/default/source.js";
import { person } from "../default/public.person.js";

/** Relationships of Order to tables that role admin may read. */
export const Order = outputRows(
  defaultSource,
  "Order",
  [
    column("buyer", `"buyer"`, pg("int4"), { nullable: true }),
    column("buyer", `"buyer 2"`, pg("varchar"), { nullable: true }),
  ],
  {
    person: toOne(
      joinOn((Order, person_2) => sql`${person_2}."id" = ${Order}."buyer"`, { unique: true }),
      () => person,
    ),
    friends: toMany(
      joinOn((Order, person_2) => sql`${person_2}."friend" = ${Order}."buyer"`, { unique: false }),
      () => person,
      { aggregations: true },
    ),
    same_code: toOne(
      joinOn((Order, person_2) => sql`${person_2}."code" = ${Order}."buyer 2"`, { unique: false }),
      () => person,
    ),
  },
);

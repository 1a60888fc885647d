// Generated: change the metadata, not this file.
// From   table public.loan (source default)
// Slice  sha256:4daeb995

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

/** Columns of public.loan. */
export const columns = {
  id: column("id", `"id"`, pg("int8")),
  copy_id: column("copy_id", `"copy_id"`, pg("int4")),
  member_id: column("member_id", `"member_id"`, pg("uuid")),
  lent_on: column("lent_on", `"lent_on"`, pg("date")),
  due_on: column("due_on", `"due_on"`, pg("date")),
  returned_on: column("returned_on", `"returned_on"`, pg("date"), { nullable: true }),
  renewals: column("renewals", `"renewals"`, pg("int2")),
};

/** Table public.loan. */
export const loan = defineTable({
  source: defaultSource,
  sql: `"public"."loan"`,
  type: "loan",
  displayName: "loan",
  primaryKey: [columns.id],
  constraints: [constraint("loan_pkey", `"loan_pkey"`, ["id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** copy_id is a foreign key to public.copy. */
  copy: joinOn((loan, copy) => sql`${copy}."id" = ${loan}."copy_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"copy_id"`, pg("int4"))]),
  }),
  /** member_id is a foreign key to public.member. */
  member: joinOn((loan, member) => sql`${member}."id" = ${loan}."member_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"member_id"`, pg("uuid"))]),
  }),
};

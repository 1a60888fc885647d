// Generated: change the metadata, not this file.
// From   table public.member (source default)
// Slice  sha256:c0e8fb14

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

/** Columns of public.member. */
export const columns = {
  id: column("id", `"id"`, pg("uuid")),
  name: column("name", `"name"`, pg("text")),
  email: column("email", `"email"`, pg("text"), { description: "Where reminders go." }),
  membership: column(
    "membership",
    `"membership"`,
    pg("membership", { cast: "public.membership", category: "enum" }),
  ),
  joined: column("joined", `"joined"`, pg("date")),
  fines_due: column("fines_due", `"fines_due"`, pg("numeric")),
  home_branch_id: column("home_branch_id", `"home_branch_id"`, pg("int4"), { nullable: true }),
};

/** Table public.member. */
export const member = defineTable({
  source: defaultSource,
  sql: `"public"."member"`,
  type: "member",
  displayName: "member",
  primaryKey: [columns.id],
  constraints: [
    constraint("member_pkey", `"member_pkey"`, ["id"]),
    constraint("member_email_key", `"member_email_key"`, ["email"]),
  ],
});

/** Join conditions of relationships. */
export const joins = {
  /** home_branch_id is a foreign key to public.branch. */
  home_branch: joinOn((member, branch) => sql`${branch}."id" = ${member}."home_branch_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"home_branch_id"`, pg("int4"))]),
  }),
  /** member_id of public.loan is a foreign key to public.member. */
  loans: joinOn((member, loan) => sql`${loan}."member_id" = ${member}."id"`, {
    unique: false,
    insert: insertAfter([copyColumn(`"id"`, `"member_id"`, pg("uuid"))]),
  }),
  /** member_id of public.review is a foreign key to public.member. */
  reviews: joinOn((member, review) => sql`${review}."member_id" = ${member}."id"`, {
    unique: false,
    insert: insertAfter([copyColumn(`"id"`, `"member_id"`, pg("uuid"))]),
  }),
};

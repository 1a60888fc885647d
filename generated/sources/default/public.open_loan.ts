// Generated: change the metadata, not this file.
// From   table public.open_loan (source default)
// Slice  sha256:f2726df9

import { column, copyColumn, defineTable, insertBefore, joinOn, pg, sql } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.open_loan. */
export const columns = {
  id: column("id", `"id"`, pg("int8"), { nullable: true }),
  copy_id: column("copy_id", `"copy_id"`, pg("int4"), { nullable: true }),
  member_id: column("member_id", `"member_id"`, pg("uuid"), { nullable: true }),
  due_on: column("due_on", `"due_on"`, pg("date"), { nullable: true }),
  overdue: column("overdue", `"overdue"`, pg("bool"), { nullable: true }),
};

/** Table public.open_loan. */
export const open_loan = defineTable({
  source: defaultSource,
  sql: `"public"."open_loan"`,
  type: "open_loan",
  displayName: "open_loan",
  description: "Loans that are not returned yet.",
  primaryKey: [],
  earlyTriggers: true,
  mayLeaveOutRows: true,
});

/** Join conditions of relationships. */
export const joins = {
  /** Joins copy_id to id of public.copy, by manual configuration. */
  copy: joinOn((open_loan, copy) => sql`${copy}."id" = ${open_loan}."copy_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"copy_id"`, pg("int4"))]),
  }),
  /** Joins member_id to id of public.member, by manual configuration. */
  member: joinOn((open_loan, member) => sql`${member}."id" = ${open_loan}."member_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"member_id"`, pg("uuid"))]),
  }),
};

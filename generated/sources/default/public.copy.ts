// Generated: change the metadata, not this file.
// From   table public.copy (source default)
// Slice  sha256:eee3edf1

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

/** Columns of public.copy. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  book_id: column("book_id", `"book_id"`, pg("int4")),
  branch_id: column("branch_id", `"branch_id"`, pg("int4")),
  acquired: column("acquired", `"acquired"`, pg("timestamptz")),
  condition_note: column("condition_note", `"condition_note"`, pg("text"), { nullable: true }),
};

/** Table public.copy. */
export const copy = defineTable({
  source: defaultSource,
  sql: `"public"."copy"`,
  type: "copy",
  displayName: "copy",
  primaryKey: [columns.id],
  constraints: [constraint("copy_pkey", `"copy_pkey"`, ["id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** book_id is a foreign key to public.book. */
  book: joinOn((copy, book) => sql`${book}."id" = ${copy}."book_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"book_id"`, pg("int4"))]),
  }),
  /** branch_id is a foreign key to public.branch. */
  branch: joinOn((copy, branch) => sql`${branch}."id" = ${copy}."branch_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"branch_id"`, pg("int4"))]),
  }),
  /** copy_id of public.loan is a foreign key to public.copy. */
  loans: joinOn((copy, loan) => sql`${loan}."copy_id" = ${copy}."id"`, {
    unique: false,
    insert: insertAfter([copyColumn(`"id"`, `"copy_id"`, pg("int4"))]),
  }),
};

// Generated: change the metadata, not this file.
// From   table public.review (source default)
// Slice  sha256:03465120

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

/** Columns of public.review. */
export const columns = {
  book_id: column("book_id", `"book_id"`, pg("int4")),
  member_id: column("member_id", `"member_id"`, pg("uuid")),
  stars: column("stars", `"stars"`, pg("int2")),
  comment: column("comment", `"comment"`, pg("text"), { nullable: true }),
  hidden: column("hidden", `"hidden"`, pg("bool")),
};

/** Table public.review. */
export const review = defineTable({
  source: defaultSource,
  sql: `"public"."review"`,
  type: "review",
  displayName: "review",
  primaryKey: [columns.book_id, columns.member_id],
  constraints: [constraint("review_pkey", `"review_pkey"`, ["book_id", "member_id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** book_id is a foreign key to public.book. */
  book: joinOn((review, book) => sql`${book}."id" = ${review}."book_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"book_id"`, pg("int4"))]),
  }),
  /** member_id is a foreign key to public.member. */
  member: joinOn((review, member) => sql`${member}."id" = ${review}."member_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"member_id"`, pg("uuid"))]),
  }),
};

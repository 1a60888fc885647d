// Generated: change the metadata, not this file.
// From   table public.book (source default)
// Slice  sha256:ebbf2d9c

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

/** Columns of public.book. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  title: column("title", `"title"`, pg("text")),
  author_id: column("author_id", `"author_id"`, pg("int4")),
  sequel_of: column("sequel_of", `"sequel_of"`, pg("int4"), { nullable: true }),
};

/** Table public.book. */
export const book = defineTable({
  source: defaultSource,
  sql: `"public"."book"`,
  type: "book",
  displayName: "book",
  primaryKey: [columns.id],
  constraints: [constraint("book_pkey", `"book_pkey"`, ["id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** author_id is a foreign key to public.author. */
  author: joinOn((book, author) => sql`${author}."id" = ${book}."author_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"author_id"`, pg("int4"))]),
  }),
  /** sequel_of is a foreign key to public.book. */
  first: joinOn((book, first) => sql`${first}."id" = ${book}."sequel_of"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"sequel_of"`, pg("int4"))]),
  }),
  /** book_id of public.loan is a foreign key to public.book. */
  loans: joinOn((book, loan) => sql`${loan}."book_id" = ${book}."id"`, {
    unique: false,
    insert: insertAfter([copyColumn(`"id"`, `"book_id"`, pg("int4"))]),
  }),
};

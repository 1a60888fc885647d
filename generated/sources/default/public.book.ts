// Generated: change the metadata, not this file.
// From   table public.book (source default)
// Slice  sha256:e026d677

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertAfter,
  insertBefore,
  joinOn,
  pg,
  pgArray,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.book. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  title: column("title", `"title"`, pg("text")),
  isbn: column("isbn", `"isbn"`, pg("text", { cast: "public.isbn" }), { nullable: true }),
  published: column("published", `"published"`, pg("date"), { nullable: true }),
  pages: column("pages", `"pages"`, pg("int4"), { nullable: true }),
  price: column("price", `"price"`, pg("numeric"), {
    description: "What a lost copy costs, in euros.",
  }),
  genres: column("genres", `"genres"`, pgArray(pg("text"))),
  author_id: column("author_id", `"author_id"`, pg("int4")),
};

/** Table public.book. */
export const book = defineTable({
  source: defaultSource,
  sql: `"public"."book"`,
  type: "book",
  displayName: "book",
  description: "A title; the library owns copies of it.",
  primaryKey: [columns.id],
  constraints: [
    constraint("book_pkey", `"book_pkey"`, ["id"]),
    constraint("book_isbn_key", `"book_isbn_key"`, ["isbn"]),
  ],
});

/** Join conditions of relationships. */
export const joins = {
  /** author_id is a foreign key to public.author. */
  author: joinOn((book, author) => sql`${author}."id" = ${book}."author_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"author_id"`, pg("int4"))]),
  }),
  /** book_id of public.copy is a foreign key to public.book. */
  copies: joinOn((book, copy) => sql`${copy}."book_id" = ${book}."id"`, {
    unique: false,
    insert: insertAfter([copyColumn(`"id"`, `"book_id"`, pg("int4"))]),
  }),
  /** book_id of public.review is a foreign key to public.book. */
  reviews: joinOn((book, review) => sql`${review}."book_id" = ${book}."id"`, {
    unique: false,
    insert: insertAfter([copyColumn(`"id"`, `"book_id"`, pg("int4"))]),
  }),
};

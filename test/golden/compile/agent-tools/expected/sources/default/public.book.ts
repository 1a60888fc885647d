// Generated: change the metadata, not this file.
// From   table public.book (source default)
// Slice  sha256:bac8363a

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertBefore,
  joinOn,
  pg,
  pgArray,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.book. */
export const columns = {
  id: column("id", `"id"`, pg("int8")),
  author_id: column("author_id", `"author_id"`, pg("int4")),
  title: column("title", `"title"`, pg("text"), { description: "Title as printed on the cover." }),
  price: column("price", `"price"`, pg("numeric"), { nullable: true }),
  weight: column("weight", `"weight"`, pg("float4")),
  is_lent: column("is_lent", `"is_lent"`, pg("bool")),
  published_on: column("published_on", `"published_on"`, pg("date"), { nullable: true }),
  added_at: column("added_at", `"added_at"`, pg("timestamptz")),
  code: column("code", `"code"`, pg("uuid")),
  tags: column("tags", `"tags"`, pgArray(pg("text"))),
  binding: column(
    "binding",
    `"binding"`,
    pg("binding", { cast: "public.binding", category: "enum" }),
    { nullable: true },
  ),
  notes: column("notes", `"notes"`, pg("jsonb"), { nullable: true }),
  secret: column("secret", `"secret"`, pg("text"), { nullable: true, description: "Never shown." }),
};

/** Table public.book. */
export const book = defineTable({
  source: defaultSource,
  sql: `"public"."book"`,
  type: "book",
  displayName: "book",
  primaryKey: [columns.id],
  constraints: [
    constraint("book_pkey", `"book_pkey"`, ["id"]),
    constraint("book_title_key", `"book_title_key"`, ["title"]),
  ],
});

/** Join conditions of relationships. */
export const joins = {
  /** author_id is a foreign key to public.author. */
  author: joinOn((book, author) => sql`${author}."id" = ${book}."author_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"author_id"`, pg("int4"))]),
  }),
};

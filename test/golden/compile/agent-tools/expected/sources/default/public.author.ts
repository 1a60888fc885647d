// Generated: change the metadata, not this file.
// From   table public.author (source default)
// Slice  sha256:7339b80a

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertAfter,
  joinOn,
  pg,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.author. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  name: column("name", `"name"`, pg("text")),
};

/** Table public.author. */
export const author = defineTable({
  source: defaultSource,
  sql: `"public"."author"`,
  type: "author",
  displayName: "author",
  description: "People who write books.",
  primaryKey: [columns.id],
  constraints: [constraint("author_pkey", `"author_pkey"`, ["id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** author_id of public.book is a foreign key to public.author. */
  books: joinOn((author, book) => sql`${book}."author_id" = ${author}."id"`, {
    unique: false,
    insert: insertAfter([copyColumn(`"id"`, `"author_id"`, pg("int4"))]),
  }),
};

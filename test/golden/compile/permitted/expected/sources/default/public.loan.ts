// Generated: change the metadata, not this file.
// From   table public.loan (source default)
// Slice  sha256:1d10d2d0

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
  id: column("id", `"id"`, pg("int4")),
  book_id: column("book_id", `"book_id"`, pg("int4")),
  reader: column("reader", `"reader"`, pg("text")),
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
  /** book_id is a foreign key to public.book. */
  book: joinOn((loan, book) => sql`${book}."id" = ${loan}."book_id"`, {
    unique: true,
    insert: insertBefore([copyColumn(`"id"`, `"book_id"`, pg("int4"))]),
  }),
};

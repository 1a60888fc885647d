// Generated: change the metadata, not this file.
// From   table public.article (source default)
// Slice  sha256:6991f716

import { column, computedValue, constraint, defineTable, pg } from "engine/support";
import { author } from "./public.author.function.js";
import { defaultSource } from "./source.js";

/** Columns of public.article. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  title: column("title", `"title"`, pg("text")),
  author_id: column("author_id", `"author_id"`, pg("int4")),
  is_published: column("is_published", `"is_published"`, pg("bool")),
};

/** Table public.article. */
export const article = defineTable({
  source: defaultSource,
  sql: `"public"."article"`,
  type: "article",
  displayName: "article",
  primaryKey: [columns.id],
  constraints: [constraint("article_pkey", `"article_pkey"`, ["id"])],
});

/** Computed fields. */
export const computedFields = { heading: computedValue(author, pg("text"), { row: 0 }) };

// Generated: change the metadata, not this file.
// From   table public.author (source default)
// Slice  sha256:6906b9ee

import {
  column,
  computedRows,
  computedValue,
  constraint,
  defineTable,
  pg,
  pgArray,
} from "engine/support";
import { age_in } from "./public.age_in.function.js";
import { articles_of } from "./public.articles_of.function.js";
import { full_name } from "./public.full_name.function.js";
import { is_adult } from "./public.is_adult.function.js";
import { latest } from "./public.latest.function.js";
import { nicknames } from "./public.nicknames.function.js";
import { published } from "./public.published.function.js";
import { defaultSource } from "./source.js";

/** Columns of public.author. */
export const columns = {
  id: column("id", `"id"`, pg("int4")),
  first_name: column("first_name", `"first_name"`, pg("text")),
  last_name: column("last_name", `"last_name"`, pg("text"), { nullable: true }),
  birth_year: column("birth_year", `"birth_year"`, pg("int4"), { nullable: true }),
};

/** Table public.author. */
export const author = defineTable({
  source: defaultSource,
  sql: `"public"."author"`,
  type: "author",
  displayName: "author",
  primaryKey: [columns.id],
  constraints: [constraint("author_pkey", `"author_pkey"`, ["id"])],
});

/** Computed fields. */
export const computedFields = {
  age: computedValue(age_in, pg("int4"), { row: 1, session: 2, description: "" }),
  full_name: computedValue(full_name, pg("text"), { row: 0, description: "First and last name." }),
  is_adult: computedValue(is_adult, pg("bool"), { row: 0, session: 1 }),
  newest: computedRows(latest, { row: 0 }),
  nicknames: computedValue(nicknames, pgArray(pg("text")), { row: 0 }),
  published: computedRows(published, { row: 0 }),
  written: computedRows(articles_of, {
    row: 0,
    description: "Articles of an author whose title holds a word.",
  }),
};

// Generated: change the metadata, not this file.
// From   query search of collection app: role admin
// Slice  sha256:ba899b28

import {
  columnOf,
  fromVariable,
  pg,
  queryPlan,
  savedPlans,
  statement,
  value,
} from "engine/support";

/** Plans of query search of collection app for role admin. */
export const plans = savedPlans({
  always: queryPlan({
    statements: [
      statement(
        "default",
        `select f1.v::text
from (
  select coalesce(json_agg(r.*), '[]')
  from (
    select
      t1."title" as "title",
      (
        select json_build_object('name', t2."name")
        from "public"."author" t2
        where t2."id" = t1."author_id"
        limit 1
      ) as "author"
    from "public"."search_books"($1::text) t1
  ) r
) f1(v)`,
        [value(fromVariable("word"), pg("text"), "$.selectionSet.search_books.args.args.word")],
        { callsFunctions: true },
      ),
    ],
    parts: [columnOf("search_books", { statement: 0, column: 0 })],
  }),
});

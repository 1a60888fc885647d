// Generated: change the metadata, not this file.
// From   query book of collection desk: role librarian
// Slice  sha256:b244db38

import {
  columnOf,
  fromVariable,
  pg,
  queryPlan,
  savedPlans,
  statement,
  value,
} from "engine/support";

/**
 * Plans of query book of collection desk for role librarian.
 * The variables select one of them.
 */
export const plans = savedPlans({
  conditions: ["withReviews"],
  plans: [
    {
      when: [{ withReviews: "true" }],
      plan: queryPlan({
        statements: [
          statement(
            "default",
            `select (
  select json_build_object(
    'title', t1."title",
    'author', case when t2."id" is not null then json_build_object('name', t2."name") end,
    'reviews', (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t3."stars" as "stars", t3."comment" as "comment"
        from "public"."review" t3
        where t3."book_id" = t1."id"
        order by t3."stars" desc
      ) r
    )
  )
  from "public"."book" t1
  left join "public"."author" t2 on t2."id" = t1."author_id"
  where t1."id" = $1::int4
)::text`,
            [value(fromVariable("id"), pg("int4"), "$.selectionSet.book_by_pk.args.id")],
          ),
        ],
        parts: [columnOf("book_by_pk", { statement: 0, column: 0 })],
      }),
    },
    {
      when: [{ withReviews: "false" }, { withReviews: "absent" }],
      plan: queryPlan({
        statements: [
          statement(
            "default",
            `select (
  select json_build_object(
    'title', t1."title",
    'author', case when t2."id" is not null then json_build_object('name', t2."name") end
  )
  from "public"."book" t1
  left join "public"."author" t2 on t2."id" = t1."author_id"
  where t1."id" = $1::int4
)::text`,
            [value(fromVariable("id"), pg("int4"), "$.selectionSet.book_by_pk.args.id")],
          ),
        ],
        parts: [columnOf("book_by_pk", { statement: 0, column: 0 })],
      }),
    },
  ],
});

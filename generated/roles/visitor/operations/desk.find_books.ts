// Generated: change the metadata, not this file.
// From   query find_books of collection desk: role visitor
// Slice  sha256:0f4bb04b

import {
  columnOf,
  constantValue,
  fromVariable,
  limitValue,
  pg,
  queryPlan,
  savedPlans,
  statement,
  value,
} from "engine/support";

/**
 * Plans of query find_books of collection desk for role visitor.
 * The variables select one of them.
 */
export const plans = savedPlans({
  optional: ["limit"],
  plans: [
    {
      when: [{ limit: "given" }],
      plan: queryPlan({
        statements: [
          statement(
            "default",
            `select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id", t1."title" as "title", t1."genres" as "genres"
    from "public"."book" t1
    where (exists (select 1 from "public"."copy" copy_1 where copy_1."book_id" = t1."id"))
      and (t1."title" ilike $1::text)
    order by t1."title" asc
    limit least($2::int8, 20)
  ) r
)::text`,
            [
              value(
                fromVariable("title"),
                pg("text"),
                "$.selectionSet.book.args.where.title._ilike",
              ),
              value(fromVariable("limit"), limitValue, "$.selectionSet.book.args.limit"),
            ],
          ),
        ],
        parts: [columnOf("book", { statement: 0, column: 0 })],
      }),
    },
    {
      when: [{ limit: "absent" }],
      plan: queryPlan({
        statements: [
          statement(
            "default",
            `select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id", t1."title" as "title", t1."genres" as "genres"
    from "public"."book" t1
    where (exists (select 1 from "public"."copy" copy_1 where copy_1."book_id" = t1."id"))
      and (t1."title" ilike $1::text)
    order by t1."title" asc
    limit least($2::int8, 20)
  ) r
)::text`,
            [
              value(
                fromVariable("title"),
                pg("text"),
                "$.selectionSet.book.args.where.title._ilike",
              ),
              value(constantValue(10), limitValue, "$.selectionSet.book.args.limit"),
            ],
          ),
        ],
        parts: [columnOf("book", { statement: 0, column: 0 })],
      }),
    },
    {
      when: [{ limit: "null" }],
      plan: queryPlan({
        statements: [
          statement(
            "default",
            `select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id", t1."title" as "title", t1."genres" as "genres"
    from "public"."book" t1
    where (exists (select 1 from "public"."copy" copy_1 where copy_1."book_id" = t1."id"))
      and (t1."title" ilike $1::text)
    order by t1."title" asc
    limit 20
  ) r
)::text`,
            [
              value(
                fromVariable("title"),
                pg("text"),
                "$.selectionSet.book.args.where.title._ilike",
              ),
            ],
          ),
        ],
        parts: [columnOf("book", { statement: 0, column: 0 })],
      }),
    },
  ],
});

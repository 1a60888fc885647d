// Generated: change the metadata, not this file.
// From   query find_books of collection desk: role member
// Slice  sha256:b9039d27

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
 * Plans of query find_books of collection desk for role member.
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
    where t1."title" ilike $1::text
    order by t1."title" asc
    limit $2::int8
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
    where t1."title" ilike $1::text
    order by t1."title" asc
    limit $2::int8
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
    where t1."title" ilike $1::text
    order by t1."title" asc
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

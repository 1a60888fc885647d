// Generated: change the metadata, not this file.
// From   query find_books of collection desk: role librarian
// Slice  sha256:4f55ddd2

import {
  columnOf,
  given,
  limitValue,
  pg,
  queryPlan,
  savedPlans,
  statement,
  value,
  written,
} from "engine/support";

/**
 * What role librarian runs for query find_books of collection desk.
 * Which of the plans it is depends on the variables.
 */
export const plans = savedPlans({
  optional: ["limit"],
  conditions: [],
  plans: {
    "limit given": queryPlan({
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
            value(given("title"), pg("text"), "$.selectionSet.book.args.where.title._ilike"),
            value(given("limit"), limitValue, "$.selectionSet.book.args.limit"),
          ],
        ),
      ],
      parts: [columnOf("book", 0, 0)],
    }),
    "limit absent": queryPlan({
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
            value(given("title"), pg("text"), "$.selectionSet.book.args.where.title._ilike"),
            value(written(10), limitValue, "$.selectionSet.book.args.limit"),
          ],
        ),
      ],
      parts: [columnOf("book", 0, 0)],
    }),
    "limit null": queryPlan({
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
          [value(given("title"), pg("text"), "$.selectionSet.book.args.where.title._ilike")],
        ),
      ],
      parts: [columnOf("book", 0, 0)],
    }),
  },
});

// Generated: change the metadata, not this file.
// From   query my_loans of collection desk: role admin
// Slice  sha256:5d5075f4

import { columnOf, queryPlan, savedPlans, statement } from "engine/support";

/** Plans of query my_loans of collection desk for role admin. */
export const plans = savedPlans({
  always: queryPlan({
    statements: [
      statement(
        "default",
        `select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select
      t1."id" as "id",
      t1."due_on" as "due_on",
      case when t2."id" is not null then json_build_object(
        'book', case when t3."id" is not null then json_build_object('title', t3."title") end
      ) end as "copy"
    from "public"."loan" t1
    left join "public"."copy" t2 on t2."id" = t1."copy_id"
    left join "public"."book" t3 on t3."id" = t2."book_id"
    where t1."returned_on" is null
    order by t1."due_on" asc
  ) r
)::text`,
        [],
      ),
    ],
    parts: [columnOf("loan", { statement: 0, column: 0 })],
  }),
});

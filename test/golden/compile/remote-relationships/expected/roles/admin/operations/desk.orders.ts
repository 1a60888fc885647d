// Generated: change the metadata, not this file.
// From   query orders of collection desk: role admin
// Slice  sha256:5ff6be44

import {
  columnOf,
  fromVariable,
  joinPlace,
  joinStep,
  keysFor,
  keysOf,
  limitValue,
  postgres,
  queryPlan,
  savedPlans,
  statement,
  value,
} from "engine/support";

/** Plans of query orders of collection desk for role admin. */
export const plans = savedPlans({
  always: queryPlan({
    statements: [
      statement(
        "shop",
        `select (
  select coalesce(json_agg(r.*), '[]')
  from (select t1."id" as "id", t1."customer_id" as "customer" from "public"."orders" t1) r
)::text`,
        [],
      ),
    ],
    parts: [
      columnOf("orders", { statement: 0, column: 0 }, { customer: keysFor({ step: 0, place: 0 }) }),
    ],
    joins: [
      joinStep(
        "people",
        `select '0' as p, string_agg(t4.i || E'\\x1f' || coalesce(t4.v::text, 'null'), E'\\x1e') as v
from (
  select
    t2.i as i,
    case when t3."id" is not null then json_build_object(
      'name', t3."name", 'orders', t3."id"
    ) end as v
  from (
    select t1.i as i, t1.k1::int8 as k1
    from (select *, (n - 1)::int4 as i from unnest($1::text[]) with ordinality as l(k1, n)) t1
  ) t2
  left join "public"."customer" t3 on t3."id" = t2.k1
) t4`,
        [keysOf(postgres, { place: 0, column: 0 })],
        [
          joinPlace({ keys: 1, path: "$.selectionSet.orders.selectionSet.customer" }, {
            orders: keysFor({ step: 1, place: 0 }),
          }),
        ],
      ),
      joinStep(
        "shop",
        `select '0' as p, string_agg(t4.i || E'\\x1f' || coalesce(t4.v::text, 'null'), E'\\x1e') as v
from (
  select
    t2.i as i,
    (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t3."id" as "id"
        from "public"."orders" t3
        where t3."customer_id" = t2.k1
        limit $1::int8
      ) r
    ) as v
  from (
    select t1.i as i, t1.k1::int8 as k1
    from (select *, (n - 1)::int4 as i from unnest($2::text[]) with ordinality as l(k1, n)) t1
  ) t2
) t4`,
        [
          value(
            fromVariable("most"),
            limitValue,
            "$.selectionSet.orders.selectionSet.customer.selectionSet.orders.args.limit",
          ),
          keysOf(postgres, { place: 0, column: 0 }),
        ],
        [
          joinPlace({
            keys: 1,
            path: "$.selectionSet.orders.selectionSet.customer.selectionSet.orders",
          }),
        ],
      ),
    ],
  }),
});

// Generated: change the metadata, not this file.
// From   query visits by town of collection reports: role admin
// Slice  sha256:865fa56e

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
  widthValue,
} from "engine/support";

/** Plans of query visits by town of collection reports for role admin. */
export const plans = savedPlans({
  always: queryPlan({
    statements: [
      statement(
        "default",
        `select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select (
      select coalesce(json_agg(r.*), '[]')
      from (
        select
          json_build_object('_bucket', t4.k1, '_part', t4.k2) as "key",
          json_build_object('count', t4.v1) as "aggregate",
          t4.v2 as "nodes"
        from (
          select
            t3.k1,
            t3.k2,
            count(*) as v1,
            coalesce(json_agg(t3.c2 order by t3.c1) filter (where t3.c1 <= $1::int8), '[]') as v2
          from (
            select
              floor(t2."spent" / $2::numeric) * $2::numeric as k1,
              extract(month from (t2."at" at time zone $3::text))::int4 as k2,
              row_number() over (
                partition by floor(t2."spent" / $2::numeric) * $2::numeric,
                extract(month from (t2."at" at time zone $3::text))::int4
                order by t2."id"
              ) as c1,
              case when row_number() over (
                partition by floor(t2."spent" / $2::numeric) * $2::numeric,
                extract(month from (t2."at" at time zone $3::text))::int4
                order by t2."id"
              ) <= $1::int8 then json_build_object('at', t2."at") end as c2
            from "public"."visit" t2
            where t2."town_id" = t1."id"
          ) t3
          group by t3.k1, t3.k2
          having count(*) >= $4::int4
        ) t4
        order by t4.k1 asc, t4.k2 asc
      ) r
    ) as "visits_group"
    from "public"."town" t1
  ) r
)::text`,
        [
          value(
            constantValue(2),
            limitValue,
            "$.selectionSet.town.selectionSet.visits_group.selectionSet.nodes.args.limit",
          ),
          value(
            fromVariable("width"),
            widthValue,
            "$.selectionSet.town.selectionSet.visits_group.args.by[0].width",
          ),
          value(
            fromVariable("zone"),
            pg("text"),
            "$.selectionSet.town.selectionSet.visits_group.args.by[1].time_zone",
          ),
          value(
            fromVariable("least"),
            pg("int4"),
            "$.selectionSet.town.selectionSet.visits_group.args.having.count.predicate._gte",
          ),
        ],
      ),
    ],
    parts: [columnOf("town", { statement: 0, column: 0 })],
  }),
});

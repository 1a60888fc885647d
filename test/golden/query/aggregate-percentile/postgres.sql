-- $1: "0.5"
-- $2: "0.1"
-- $3: "3"
select (
  select json_build_object('aggregate', json_build_object('median', percentile_cont($1::float8) within group (order by t2.c1), 'low', percentile_cont($2::float8) within group (order by t2.c1)), 'nodes', coalesce(json_agg(t2.c2), '[]'))
  from (
    select t1."price" as c1, json_build_object('id', t1."id") as c2
    from "public"."book" t1
    order by t1."price" desc
    limit $3::int8
  ) t2
)::text;

-- $1: "0"
-- $2: "1"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id"
    from "public"."book" t1
    order by t1."id" asc
    limit $1::int8
    offset $2::int8
  ) r
)::text, (
  select json_build_object('aggregate', json_build_object('count', count(*)))
  from (
    select 1 as c1
    from "public"."book" t2
    limit $1::int8
    offset $2::int8
  ) t3
)::text;

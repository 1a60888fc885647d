-- $1: ", "
-- $2: "3"
select (
  select json_build_object('aggregate', json_build_object('count', count(*), 'string_agg', string_agg(t2.c2::text, $1::text order by t2.c1)), 'nodes', coalesce(json_agg(t2.c3), '[]'))
  from (
    select row_number() over (order by t1."price" desc, t1."id" asc) as c1, t1."title" as c2, json_build_object('title', t1."title") as c3
    from "public"."book" t1
    order by t1."price" desc, t1."id" asc
    limit $2::int8
  ) t2
)::text;

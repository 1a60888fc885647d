-- $1: "1"
select (
  select json_build_object('aggregate', json_build_object('count', count(*), 'sum', json_build_object('price', sum(t2.c1))), 'nodes', coalesce(json_agg(t2.c2), '[]'))
  from (
    select t1."price" as c1, json_build_object('title', t1."title") as c2
    from (
      select g.*
      from (
        select t1.*, row_number() over (partition by t1."author_id", t1."shelf_floor" order by t1."price" desc nulls last, t1."id" asc) as "place in group"
        from "public"."book" t1
      ) g
      where g."place in group" <= $1::int8
    ) t1
    order by t1."price" desc nulls last
  ) t2
)::text;

-- $1: "2"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select distinct on (t2."shelf_floor") t2."title" as "title"
        from "public"."book" t2
        where t2."author_id" = t1."id"
        order by t2."shelf_floor" desc, t2."price" asc, t2."id" asc
        limit $1::int8
      ) r
    ) as "books", (
      select json_build_object('aggregate', json_build_object('count', count(*)), 'nodes', coalesce(json_agg(t4.c1), '[]'))
      from (
        select distinct on (t3."shelf_floor") json_build_object('title', t3."title") as c1
        from "public"."book" t3
        where t3."author_id" = t1."id"
        order by t3."shelf_floor" asc, t3."id" asc
      ) t4
    ) as "books_aggregate"
    from "public"."author" t1
    order by t1."id" asc
  ) r
)::text;

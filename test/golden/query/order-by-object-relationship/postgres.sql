-- $1: "3"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."title" as "title", case when t2."id" is not null then json_build_object('name', t2."name") end as "author"
    from "public"."book" t1
    left join "public"."author" t2 on t2."id" = t1."author_id"
    left join "public"."shelf" t3 on t3."floor" = t1."shelf_floor"
    and t3."place" = t1."shelf_place"
    order by t2."name" desc, t3."label" asc nulls first, t1."id" asc
    limit $1::int8
  ) r
)::text;

select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."title" as "title", case when t2."id" is not null then json_build_object('name', t2."name") end as "author", case when t3."id" is not null then json_build_object('name', t3."name") end as "translator", case when t4."floor" is not null then json_build_object('label', t4."label") end as "shelf"
    from "public"."book" t1
    left join "public"."author" t2 on t2."id" = t1."author_id"
    left join "public"."author" t3 on t3."id" = t1."translator_id"
    left join "public"."shelf" t4 on t4."floor" = t1."shelf_floor"
    and t4."place" = t1."shelf_place"
    order by t1."id" asc
  ) r
)::text;

select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t2."title" as "title", case when t3."floor" is not null then json_build_object('label', t3."label") end as "shelf", (
          select coalesce(json_agg(r.*), '[]')
          from (
            select t4."stars" as "stars"
            from "public"."review" t4
            where t4."book_id" = t2."id"
            order by t4."reader" asc
          ) r
        ) as "reviews"
        from "public"."book" t2
        left join "public"."shelf" t3 on t3."floor" = t2."shelf_floor"
        and t3."place" = t2."shelf_place"
        where t2."author_id" = t1."id"
        order by t2."id" asc
      ) r
    ) as "books"
    from "public"."author" t1
    order by t1."id" asc
  ) r
)::text;

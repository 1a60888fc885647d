-- $1: "Ada"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t2."title" as "title", case when t3."id" is not null then json_build_object('name', t3."name") end as "author", (
          select coalesce(json_agg(r.*), '[]')
          from (
            select t4."reader" as "reader"
            from "public"."review" t4
            where t4."book_id" = t2."id"
            order by t4."reader" asc
          ) r
        ) as "reviews"
        from "public"."book" t2
        left join "public"."author" t3 on (t3."id" = t2."author_id")
        and (t3."name" = $1::text)
        where t2."author_id" = t1."id"
        order by t2."id" asc
      ) r
    ) as "books", (
      select json_build_object('aggregate', json_build_object('count', count(*)))
      from (
        select 1 as c1
        from "public"."book" t5
        where t5."author_id" = t1."id"
      ) t6
    ) as "books_aggregate"
    from "public"."author" t1
    where t1."name" = $1::text
  ) r
)::text;

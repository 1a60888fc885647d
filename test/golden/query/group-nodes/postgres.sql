-- $1: "1"
-- $2: "2"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select json_build_object('author_id', t3.k1) as "key", t3.v1 as "nodes", t3.v2 as "all"
    from (
      select t2.k1, coalesce(json_agg(t2.c2 order by t2.c1) filter (where (t2.c1 > $1::int8) and (t2.c1 <= $1::int8 + $2::int8)), '[]') as v1, coalesce(json_agg(t2.c3), '[]') as v2
      from (
        select t1."author_id" as k1, row_number() over (partition by t1."author_id" order by t1."title" asc) as c1, case when (row_number() over (partition by t1."author_id" order by t1."title" asc) > $1::int8)
        and (row_number() over (partition by t1."author_id" order by t1."title" asc) <= $1::int8 + $2::int8) then json_build_object('title', t1."title", 'author', case when t4."id" is not null then json_build_object('name', t4."name") end, 'reviews', (
          select coalesce(json_agg(r.*), '[]')
          from (
            select t5."stars" as "stars"
            from "public"."review" t5
            where t5."book_id" = t1."id"
          ) r
        )) end as c2, json_build_object('title', t1."title") as c3
        from "public"."book" t1
        left join "public"."author" t4 on t4."id" = t1."author_id"
      ) t2 group by t2.k1
    ) t3
    order by t3.k1 asc
  ) r
)::text;

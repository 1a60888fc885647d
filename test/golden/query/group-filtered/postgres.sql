-- $1: "9"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select json_build_object('author', json_build_object('name', t4.k1)) as "key", json_build_object('count', t4.v1) as "aggregate", json_build_object('count', t4.v2, 'priced', t4.v3, 'max', json_build_object('price', t4.v4), 'avg', json_build_object('price', t4.v5)) as "cheap", json_build_object('count', t4.v6) as "all"
    from (
      select t3.k1, count(*) as v1, count(*) filter (where t3.c1 = 1) as v2, count(distinct t3.c2) filter (where t3.c1 = 1) as v3, max(t3.c2) filter (where t3.c1 = 1) as v4, avg(t3.c2) filter (where t3.c1 = 1) as v5, count(*) as v6
      from (
        select t2."name" as k1, case when (case when t1."price" < '12'::numeric then t1."price" end) < $1::numeric then 1 end as c1, (case when t1."price" < '12'::numeric then t1."price" end) as c2
        from "public"."book" t1
        left join "public"."author" t2 on (t2."id" = t1."author_id")
        and ((exists (
          select 1
          from "public"."book" book_1
          where book_1."author_id" = t2."id"
        )) or (true))
        where (t1."genres" @> '{science}'::text[])
        or (t1."price" < '12'::numeric)
      ) t3 group by t3.k1
    ) t4
    order by t4.k1 asc
  ) r
)::text;

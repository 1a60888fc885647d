select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select json_build_object('author', json_build_object('name', t4.k1)) as "key", json_build_object('count', t4.v1, 'max', json_build_object('price', t4.v2)) as "aggregate", t4.v3 as "nodes"
    from (
      select t3.k1, count(*) as v1, max(t3.c1) as v2, coalesce(json_agg(t3.c3 order by t3.c2) filter (where t3.c2 <= 2), '[]') as v3
      from (
        select t2."name" as k1, t1."price" as c1, row_number() over (partition by t2."name" order by t1."id") as c2, case when row_number() over (partition by t2."name" order by t1."id") <= 2 then json_build_object('title', t1."title") end as c3
        from "public"."book" t1
        left join "public"."author" t2 on t2."id" = t1."author_id"
        where t1."price" < '12'::numeric
      ) t3 group by t3.k1
    ) t4
    order by t4.k1 asc
  ) r
)::text;

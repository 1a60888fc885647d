select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select json_build_object('published', t4.k1, 'author', json_build_object('born', t4.k2)) as "key", json_build_object('count', t4.v1) as "aggregate", t4.v2 as "nodes"
    from (
      select t3.k1, t3.k2, count(*) as v1, coalesce(json_agg(t3.c1), '[]') as v2
      from (
        select date_trunc('quarter', t1."published"::timestamp)::date as k1, date_trunc('week', t2."born"::timestamp)::date as k2, json_build_object('published', t1."published") as c1
        from "public"."book" t1
        left join "public"."author" t2 on t2."id" = t1."author_id"
      ) t3 group by t3.k1, t3.k2
    ) t4
    order by t4.k1 desc, t4.k2 asc
  ) r
)::text;

select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select json_build_object('price', t3.k1) as "key", json_build_object('count', t3.v1) as "aggregate", t3.v2 as "nodes"
    from (
      select t2.k1, count(*) as v1, coalesce(json_agg(t2.c2 order by t2.c1) filter (where t2.c1 <= 2), '[]') as v2
      from (
        select (case when t1."price" < '12'::numeric then t1."price" end) as k1, row_number() over (partition by (case when t1."price" < '12'::numeric then t1."price" end) order by t1."id") as c1, case when row_number() over (partition by (case when t1."price" < '12'::numeric then t1."price" end) order by t1."id") <= 2 then json_build_object('title', t1."title", 'price', (case when t1."price" < '12'::numeric then t1."price" end)) end as c2
        from "public"."book" t1
        where (t1."genres" @> '{science}'::text[])
        or (t1."price" < '12'::numeric)
      ) t2 group by t2.k1
    ) t3
    order by t3.k1 desc
  ) r
)::text;

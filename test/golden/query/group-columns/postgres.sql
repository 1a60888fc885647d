select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select json_build_object('book_id', t3.k1) as "key", json_build_object('count', t3.v1, 'avg', json_build_object('stars', t3.v2), 'max', json_build_object('reader', t3.v3)) as "aggregate"
    from (
      select t2.k1, count(*) as v1, avg(t2.c1) as v2, max(t2.c2) as v3
      from (
        select t1."book_id" as k1, t1."stars" as c1, t1."reader" as c2
        from "public"."review" t1
      ) t2 group by t2.k1
    ) t3
    order by t3.k1 asc
  ) r
)::text;

-- $1: "5"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select json_build_object('year', t3.k1, 'from', t3.k2) as "key", json_build_object('count', t3.v1) as "aggregate"
    from (
      select t2.k1, t2.k2, count(*) as v1
      from (
        select extract(year from t1."published")::int4 as k1, floor(t1."price" / $1::numeric) * $1::numeric as k2
        from "public"."book" t1
      ) t2 group by t2.k1, t2.k2
    ) t3
    order by t3.k1 asc, t3.k2 asc
  ) r
)::text;

-- $1: "0.5"
-- $2: "0.9"
-- $3: "0.25"
-- $4: "9"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select json_build_object('author_id', t3.k1) as "key", json_build_object('median', t3.v1, 'high', t3.v2) as "aggregate", json_build_object('percentile_cont', t3.v3) as "cheap"
    from (
      select t2.k1, percentile_cont($1::float8) within group (order by t2.c1) as v1, percentile_cont($2::float8) within group (order by t2.c1) as v2, percentile_cont($3::float8) within group (order by t2.c1) filter (where t2.c2 = 1) as v3
      from (
        select t1."author_id" as k1, t1."price" as c1, case when t1."price" < $4::numeric then 1 end as c2
        from "public"."book" t1
      ) t2 group by t2.k1
    ) t3
    order by t3.k1 asc
  ) r
)::text;

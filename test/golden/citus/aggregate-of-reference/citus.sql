-- $1: "Eve"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name", coalesce(t4.v, json_build_object('aggregate', json_build_object('count', 0, 'max', json_build_object('name', null)), 'nodes', '[]'::json)) as "customers_aggregate"
    from "public"."countries" t1
    left join (
      select t3."country_code", json_build_object('aggregate', json_build_object('count', count(*), 'max', json_build_object('name', max(t3.c1))), 'nodes', coalesce(json_agg(t3.c2 order by t3.c3), '[]')) as v
      from (
        select t2."country_code", t2."name" as c1, json_build_object('name', t2."name") as c2, row_number() over (partition by t2."country_code" order by t2."name" desc) as c3
        from "public"."customers" t2
        where (t2."name" <> $1::text)
        and (true)
      ) t3 group by t3."country_code"
      offset 0
    ) t4 on t4."country_code" = t1."code"
    order by t1."code" asc
    offset 0
  ) r
)::text;

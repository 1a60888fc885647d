-- $1: "; "
-- $2: ", "
-- $3: "9"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select json_build_object('author', json_build_object('name', t4.k1)) as "key", json_build_object('all', t4.v1) as "aggregate", json_build_object('string_agg', t4.v2) as "cheap"
    from (
      select t3.k1, string_agg(t3.c2::text, $1::text order by t3.c1) as v1, string_agg(t3.c2::text, $2::text) filter (where t3.c3 = 1) as v2
      from (
        select t2."name" as k1, row_number() over (order by t1."published" desc nulls last, t1."id" asc) as c1, t1."title" as c2, case when t1."price" < $3::numeric then 1 end as c3
        from "public"."book" t1
        left join "public"."author" t2 on t2."id" = t1."author_id"
      ) t3 group by t3.k1
    ) t4
    order by t4.k1 asc
  ) r
)::text;

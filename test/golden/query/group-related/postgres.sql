select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select json_build_object('author', json_build_object('name', t5.k1), 'translator', json_build_object('_part', t5.k2)) as "key", json_build_object('count', t5.v1) as "aggregate"
    from (
      select t4.k1, t4.k2, count(*) as v1, count(*) as v2
      from (
        select t2."name" as k1, extract(month from t3."born")::int4 as k2
        from "public"."book" t1
        left join "public"."author" t2 on t2."id" = t1."author_id"
        left join "public"."author" t3 on t3."id" = t1."translator_id"
      ) t4 group by t4.k1, t4.k2
    ) t5
    order by t5.v2 desc, t5.k1 asc, t5.k2 asc
  ) r
)::text;

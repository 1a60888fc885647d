select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select json_build_object('price', t4.k1) as "key", json_build_object('count', t4.v1) as "aggregate"
        from (
          select t3.k1, count(*) as v1, count(*) as v2
          from (
            select t2."price" as k1
            from "public"."book" t2
            where t2."author_id" = t1."id"
          ) t3 group by t3.k1
        ) t4
        order by t4.v2 desc, t4.k1 asc
      ) r
    ) as "books_group"
    from "public"."author" t1
    order by t1."id" asc
  ) r
)::text;

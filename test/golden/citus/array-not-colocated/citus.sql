-- $1: "home"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name", coalesce(t4.v, '[]') as "visits", coalesce(t7.v, json_build_object('aggregate', json_build_object('count', 0))) as "visits_aggregate"
    from "public"."customers" t1
    left join (
      select x."customer_id", json_agg(x.v order by x."place in list") as v
      from (
        select t3."customer_id", json_build_object('id', t3."id", 'page', t3."page") as v, row_number() over (partition by t3."customer_id" order by t3."id" desc) as "place in list"
        from "public"."visits" t3
        where t3."customer_id" in (
          select t1."id"
          from "public"."customers" t1
          where (t1."id" in (
            select t2."customer_id"
            from "public"."visits" t2
            where (t2."customer_id" is not null)
            and (t2."page" = $1::text)
            offset 0
          )) is true
        )
      ) x group by x."customer_id"
      offset 0
    ) t4 on t4."customer_id" = t1."id"
    left join (
      select t6."customer_id", json_build_object('aggregate', json_build_object('count', count(*))) as v
      from (
        select t5."customer_id"
        from "public"."visits" t5
        where t5."customer_id" in (
          select t1."id"
          from "public"."customers" t1
          where (t1."id" in (
            select t2."customer_id"
            from "public"."visits" t2
            where (t2."customer_id" is not null)
            and (t2."page" = $1::text)
            offset 0
          )) is true
        )
      ) t6 group by t6."customer_id"
      offset 0
    ) t7 on t7."customer_id" = t1."id"
    where (t1."id" in (
      select t2."customer_id"
      from "public"."visits" t2
      where (t2."customer_id" is not null)
      and (t2."page" = $1::text)
      offset 0
    )) is true
    order by t1."tenant_id" asc, t1."id" asc
    offset 0
  ) r
)::text;

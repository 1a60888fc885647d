-- $1: "de"
-- $2: "1"
-- $3: "1"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name", coalesce(t7.v, '[]') as "customers", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t8."name" as "name"
        from "public"."products" t8
        where t8."country_code" = t1."code"
      ) r
    ) as "products"
    from "public"."countries" t1
    left join (
      select x."country_code", json_agg(x.v order by x."place in list") as v
      from (
        select t2."country_code", json_build_object('name', t2."name", 'orders', (
          select coalesce(json_agg(r.*), '[]')
          from (
            select t4."id" as "id"
            from "public"."orders" t4
            where t4."tenant_id" = t2."tenant_id"
            and t4."customer_id" = t2."id"
            order by t4."id" asc
            offset 0
          ) r
        ), 'visits', coalesce(t6.v, '[]')) as v, row_number() over (partition by t2."country_code" order by t2."tenant_id" asc, t2."id" asc) as "place in list"
        from "public"."customers" t2
        left join (
          select x."customer_id", json_agg(x.v order by x."place in list") as v
          from (
            select t5."customer_id", json_build_object('page', t5."page") as v, row_number() over (partition by t5."customer_id" order by t5."id" asc) as "place in list"
            from "public"."visits" t5
            where t5."customer_id" in (
              select t2."id"
              from "public"."customers" t2
              where (exists (
                select 1
                from "public"."orders" t3
                where t3."tenant_id" = t2."tenant_id"
                and t3."customer_id" = t2."id"
              ))
              and (t2."country_code" in (
                select t1."code"
                from "public"."countries" t1
                where t1."code" = $1::text
              ))
            )
          ) x group by x."customer_id"
          offset 0
        ) t6 on t6."customer_id" = t2."id"
        where (exists (
          select 1
          from "public"."orders" t3
          where t3."tenant_id" = t2."tenant_id"
          and t3."customer_id" = t2."id"
        ))
        and (t2."country_code" in (
          select t1."code"
          from "public"."countries" t1
          where t1."code" = $1::text
        ))
      ) x
      where (x."place in list" > $2::int8)
      and (x."place in list" <= $2::int8 + $3::int8) group by x."country_code"
      offset 0
    ) t7 on t7."country_code" = t1."code"
    where t1."code" = $1::text
  ) r
)::text;

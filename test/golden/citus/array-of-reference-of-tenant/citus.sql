-- $1: "1"
-- $2: "Eve"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name"
    from "public"."countries" t1
    where (t1."code" in (
      select t2."country_code"
      from "public"."customers" t2
      where (t2."country_code" is not null)
      and ((t2."tenant_id" = $1::int4) and (t2."name" = $2::text))
      offset 0
    )) is true
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t3."name" as "name", coalesce(t6.v, '[]') as "customers", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t7."name" as "name", coalesce(t9.v, '[]') as "orders"
        from "public"."products" t7
        left join (
          select x."product_id", json_agg(x.v order by x."place in list") as v
          from (
            select t8."product_id", json_build_object('id', t8."id", 'tenant_id', t8."tenant_id") as v, row_number() over (partition by t8."product_id" order by t8."id" asc) as "place in list"
            from "public"."orders" t8
            where (t8."tenant_id" = $1::int4)
            and (true)
          ) x group by x."product_id"
          offset 0
        ) t9 on t9."product_id" = t7."id"
        where t7."country_code" = t3."code"
      ) r
    ) as "products"
    from "public"."countries" t3
    left join (
      select x."country_code", json_agg(x.v order by x."place in list") as v
      from (
        select t4."country_code", json_build_object('name', t4."name", 'orders', (
          select coalesce(json_agg(r.*), '[]')
          from (
            select t5."id" as "id"
            from "public"."orders" t5
            where (t5."tenant_id" = t4."tenant_id" and t5."customer_id" = t4."id")
            and (t5."tenant_id" = $1::int4)
          ) r
        )) as v, row_number() over (partition by t4."country_code" order by t4."id" asc) as "place in list"
        from "public"."customers" t4
        where (t4."tenant_id" = $1::int4)
        and (true)
      ) x group by x."country_code"
      offset 0
    ) t6 on t6."country_code" = t3."code"
    order by t3."code" asc
    offset 0
  ) r
)::text;

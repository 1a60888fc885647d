-- $1: "1"
-- $2: "2"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t2."n" as "n", case when t3."id" is not null then json_build_object('name', t3."name") end as "product"
        from "public"."items" t2
        left join "public"."products" t3 on t3."id" = t2."product_id"
        where (t2."tenant_id" = t1."tenant_id" and t2."order_id" = t1."id")
        and (t2."tenant_id" = $1::int4)
        order by t2."n" asc
        offset 0
      ) r
    ) as "items", case when t4."tenant_id" is not null then json_build_object('name', t4."name", 'country', case when t5."code" is not null then json_build_object('name', t5."name") end) end as "customer", (
      select json_build_object('aggregate', json_build_object('count', count(*)))
      from (
        select 1 as c1
        from "public"."items" t6
        where (t6."tenant_id" = t1."tenant_id" and t6."order_id" = t1."id")
        and (t6."tenant_id" = $1::int4)
      ) t7
    ) as "items_aggregate"
    from "public"."orders" t1
    left join "public"."customers" t4 on (t4."tenant_id" = t1."tenant_id" and t4."id" = t1."customer_id")
    and (t4."tenant_id" = $1::int4)
    left join "public"."countries" t5 on t5."code" = t4."country_code"
    where t1."tenant_id" = $1::int4
    order by t1."id" asc
    limit $2::int8
  ) r
)::text;

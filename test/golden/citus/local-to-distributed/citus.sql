select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."text" as "text", case when t2."id" is not null then json_build_object('name', t2."name", 'country', case when t3."code" is not null then json_build_object('name', t3."name") end, 'orders', coalesce(t5.v, '[]')) end as "product", coalesce(t8.v, '[]') as "orders", coalesce(t11.v, json_build_object('aggregate', json_build_object('count', 0, 'sum', json_build_object('amount', null)))) as "orders_aggregate"
    from "public"."notes" t1
    left join "public"."products" t2 on t2."id" = t1."product_id"
    left join "public"."countries" t3 on t3."code" = t2."country_code"
    left join (
      select x."product_id", json_agg(x.v order by x."place in list") as v
      from (
        select t4."product_id", json_build_object('id', t4."id") as v, row_number() over (partition by t4."product_id" order by t4."tenant_id" asc, t4."id" asc) as "place in list"
        from "public"."orders" t4
        where true
      ) x group by x."product_id"
      offset 0
    ) t5 on t5."product_id" = t2."id"
    left join (
      select x."product_id", json_agg(x.v order by x."place in list") as v
      from (
        select t6."product_id", json_build_object('id', t6."id", 'customer', case when t7."tenant_id" is not null then json_build_object('name', t7."name") end) as v, row_number() over (partition by t6."product_id" order by t6."tenant_id" asc, t6."id" asc) as "place in list"
        from "public"."orders" t6
        left join "public"."customers" t7 on t7."tenant_id" = t6."tenant_id"
        and t7."id" = t6."customer_id"
        where true
      ) x group by x."product_id"
      offset 0
    ) t8 on t8."product_id" = t1."product_id"
    left join (
      select t10."product_id", json_build_object('aggregate', json_build_object('count', count(*), 'sum', json_build_object('amount', sum(t10.c1)))) as v
      from (
        select t9."product_id", t9."amount" as c1
        from "public"."orders" t9
        where true
      ) t10 group by t10."product_id"
      offset 0
    ) t11 on t11."product_id" = t1."product_id"
    order by t1."id" asc
    offset 0
  ) r
)::text;

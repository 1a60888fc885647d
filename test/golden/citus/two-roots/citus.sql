-- $1: "1"
-- $2: "2"
-- $3: "fr"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t2."n" as "n"
        from "public"."items" t2
        where t2."tenant_id" = t1."tenant_id"
        and t2."order_id" = t1."id"
        order by t2."n" asc
        limit $1::int8
      ) r
    ) as "items", case when t3."id" is not null then json_build_object('name', t3."name") end as "product"
    from "public"."orders" t1
    left join "public"."products" t3 on t3."id" = t1."product_id"
    order by t1."tenant_id" asc, t1."id" asc
    limit $2::int8
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t4."text" as "text", case when t5."id" is not null then json_build_object('name', t5."name") end as "product"
    from "public"."notes" t4
    left join "public"."products" t5 on t5."id" = t4."product_id"
    order by t4."id" asc
    offset 0
  ) r
)::text, (
  select json_build_object('name', t6."name", 'customers', coalesce(t8.v, '[]'))
  from "public"."countries" t6
  left join (
    select x."country_code", json_agg(x.v) as v
    from (
      select t7."country_code", json_build_object('name', t7."name") as v
      from "public"."customers" t7
      where t7."country_code" in (
        select t6."code"
        from "public"."countries" t6
        where t6."code" = $3::text
      )
    ) x group by x."country_code"
    offset 0
  ) t8 on t8."country_code" = t6."code"
  where t6."code" = $3::text
)::text;

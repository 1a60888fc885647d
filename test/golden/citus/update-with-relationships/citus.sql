-- $1: "seen"
-- $2: "1"
-- $3: "Ada"
with t3 as (update "public"."orders" as t1 set "note" = $1::text where (t1."tenant_id" = $2::int4) and (exists (
  select 1
  from "public"."customers" t2
  where (t2."tenant_id" = t1."tenant_id" and t2."id" = t1."customer_id")
  and (t2."tenant_id" = $2::int4)
  and (t2."name" = $3::text)
)) returning t1.*)
select count(*)::text, coalesce(json_agg(json_build_array(t3."tenant_id", t3."id"))::text, '[]'), coalesce(array_agg(t3."tenant_id"::text)::text, '{}'), (
  select case when not bool_and(t1."amount" <= '100'::numeric) then ('engine: check of a permission has failed (' || count(*) || ' rows)')::int4 end
  from t3 t1
)
from t3;

-- $1: "1"
-- $2: "1"
-- $3: "[[1, 1], [1, 2]]"
-- $4: "{1,1}"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t4."id" as "id", "public"."order_label"(row(t4."tenant_id", t4."id", t4."customer_id", t4."product_id", t4."amount", t4."note")::public.orders) as "label", case when t5."tenant_id" is not null then json_build_object('name', t5."name", 'country', case when t6."code" is not null then json_build_object('name', t6."name") end) end as "customer", case when t7."id" is not null then json_build_object('name', t7."name") end as "product", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t8."n" as "n"
        from "public"."items" t8
        where (t8."tenant_id" = t4."tenant_id" and t8."order_id" = t4."id")
        and (t8."tenant_id" = $1::int4)
        order by t8."n" desc
        limit $2::int8
      ) r
    ) as "items", (
      select json_build_object('aggregate', json_build_object('count', count(*), 'sum', json_build_object('quantity', sum(t10.c1))))
      from (
        select t9."quantity" as c1
        from "public"."items" t9
        where (t9."tenant_id" = t4."tenant_id" and t9."order_id" = t4."id")
        and (t9."tenant_id" = $1::int4)
      ) t10
    ) as "items_aggregate"
    from (
      select r.*, k.n as "place of the row"
      from "public"."orders" r join (
        select (e.v->>0)::int4 as k1, (e.v->>1)::int4 as k2, e.n
        from jsonb_array_elements($3::jsonb) with ordinality as e(v, n)
      ) k on r."tenant_id" = k.k1
      and r."id" = k.k2
      where r."tenant_id" = any ($4::int4[])
    ) t4
    left join "public"."customers" t5 on (t5."tenant_id" = t4."tenant_id" and t5."id" = t4."customer_id")
    and (t5."tenant_id" = $1::int4)
    left join "public"."countries" t6 on t6."code" = t5."country_code"
    left join "public"."products" t7 on t7."id" = t4."product_id"
    order by t4."place of the row"
    offset 0
  ) r
)::text;

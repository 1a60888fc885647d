-- $1: "1"
-- $2: "{\"9\"}"
-- $3: "{\"1\"}"
-- $4: "{\"2\"}"
-- $5: "{\"9\"}"
with t2 as (insert into "public"."orders" as t1 ("id", "customer_id", "product_id", "amount", "tenant_id") select r.c1::int4, r.c2::int4, r.c3::int4, r.c4::numeric, $1::int4 from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as r(c1, c2, c3, c4) returning t1.*)
select count(*)::text, coalesce(json_agg(json_build_array(t2."tenant_id", t2."id"))::text, '[]'), coalesce(array_agg(t2."tenant_id"::text)::text, '{}'), (
  select case when not bool_and(t1."amount" <= '100'::numeric and t1."tenant_id" = $1::int4) then ('engine: check of a permission has failed (' || count(*) || ' rows)')::int4 end
  from t2 t1
)
from t2;

-- $1: "1"
-- $2: "[[1, 9]]"
-- $3: "{1}"
select (
  select json_build_object('id', t3."id", 'label', "public"."order_label"(row(t3."tenant_id", t3."id", t3."customer_id", t3."product_id", t3."amount", t3."note")::public.orders), 'customer', case when t4."tenant_id" is not null then json_build_object('name', t4."name") end, 'product', case when t5."id" is not null then json_build_object('name', t5."name", 'notes', coalesce(t7.v, '[]')) end, 'items', (
    select coalesce(json_agg(r.*), '[]')
    from (
      select t8."n" as "n"
      from "public"."items" t8
      where (t8."tenant_id" = t3."tenant_id" and t8."order_id" = t3."id")
      and (t8."tenant_id" = $1::int4)
    ) r
  ))
  from (
    select r.*, k.n as "place of the row"
    from "public"."orders" r join (
      select (e.v->>0)::int4 as k1, (e.v->>1)::int4 as k2, e.n
      from jsonb_array_elements($2::jsonb) with ordinality as e(v, n)
    ) k on r."tenant_id" = k.k1
    and r."id" = k.k2
    where r."tenant_id" = any ($3::int4[])
  ) t3
  left join "public"."customers" t4 on (t4."tenant_id" = t3."tenant_id" and t4."id" = t3."customer_id")
  and (t4."tenant_id" = $1::int4)
  left join "public"."products" t5 on t5."id" = t3."product_id"
  left join (
    select x."product_id", json_agg(x.v) as v
    from (
      select t6."product_id", json_build_object('text', t6."text") as v
      from "public"."notes" t6
      where t6."product_id" in (
        select t5."id"
        from (
          select r.*, k.n as "place of the row"
          from "public"."orders" r join (
            select (e.v->>0)::int4 as k1, (e.v->>1)::int4 as k2, e.n
            from jsonb_array_elements($2::jsonb) with ordinality as e(v, n)
          ) k on r."tenant_id" = k.k1
          and r."id" = k.k2
          where r."tenant_id" = any ($3::int4[])
        ) t3
        left join "public"."products" t5 on t5."id" = t3."product_id"
      )
    ) x group by x."product_id"
    offset 0
  ) t7 on t7."product_id" = t5."id"
  limit 1
)::text;

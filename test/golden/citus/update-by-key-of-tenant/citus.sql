-- $1: "5"
-- $2: "1"
-- $3: "1"
-- $4: "2"
with t2 as (update "public"."orders" as t1 set "amount" = t1."amount" + $1::numeric where ((t1."tenant_id" = $2::int4) is true) and ((t1."tenant_id" = $3::int4) and (t1."id" = $4::int4)) returning t1.*)
select count(*)::text, coalesce(json_agg(json_build_array(t2."tenant_id", t2."id"))::text, '[]'), coalesce(array_agg(t2."tenant_id"::text)::text, '{}'), (
  select case when not bool_and(t1."amount" <= '100'::numeric) then ('engine: check of a permission has failed (' || count(*) || ' rows)')::int4 end
  from t2 t1
)
from t2;

-- $1: "1"
-- $2: "[[1, 2]]"
-- $3: "{1}"
select (
  select json_build_object('id', t3."id", 'amount', t3."amount", 'customer', case when t4."tenant_id" is not null then json_build_object('name', t4."name") end, 'items', (
    select coalesce(json_agg(r.*), '[]')
    from (
      select t5."n" as "n"
      from "public"."items" t5
      where (t5."tenant_id" = t3."tenant_id" and t5."order_id" = t3."id")
      and (t5."tenant_id" = $1::int4)
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
  limit 1
)::text;

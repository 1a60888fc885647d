-- $1: "1"
-- $2: "{\"1\",\"13\"}"
-- $3: "{\"55\",\"2\"}"
with t2 as (insert into "public"."orders" as t1 ("id", "amount", "tenant_id") select r.c1::int4, r.c2::numeric, $1::int4 from unnest($2::text[], $3::text[]) as r(c1, c2) on conflict on constraint "orders_pkey" do update set "amount" = excluded."amount" where t1."tenant_id" = $1::int4 returning t1.*, t1.xmax = 0 as "row is new")
select count(*)::text, coalesce(json_agg(json_build_array(t2."tenant_id", t2."id"))::text, '[]'), coalesce(array_agg(t2."tenant_id"::text)::text, '{}'), (
  select case when not bool_and(case when t1."row is new" then t1."amount" <= '100'::numeric and t1."tenant_id" = $1::int4 else t1."amount" <= '100'::numeric end) then ('engine: check of a permission has failed (' || count(*) || ' rows)')::int4 end
  from t2 t1
)
from t2;

-- $1: "1"
-- $2: "[[1, 1], [1, 13]]"
-- $3: "{1,1}"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t3."id" as "id", t3."amount" as "amount", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t4."n" as "n"
        from "public"."items" t4
        where (t4."tenant_id" = t3."tenant_id" and t4."order_id" = t3."id")
        and (t4."tenant_id" = $1::int4)
      ) r
    ) as "items"
    from (
      select r.*, k.n as "place of the row"
      from "public"."orders" r join (
        select (e.v->>0)::int4 as k1, (e.v->>1)::int4 as k2, e.n
        from jsonb_array_elements($2::jsonb) with ordinality as e(v, n)
      ) k on r."tenant_id" = k.k1
      and r."id" = k.k2
      where r."tenant_id" = any ($3::int4[])
    ) t3
    order by t3."place of the row"
    offset 0
  ) r
)::text;

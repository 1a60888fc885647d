-- $1: "stolen"
-- $2: "1"
-- $3: "2"
with t2 as (update "public"."orders" as t1 set "note" = $1::text where ((t1."tenant_id" = $2::int4) is true) and (t1."tenant_id" = $3::int4) returning t1.*)
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t3."id" as "id", t3."note" as "note"
    from t2 t3
  ) r
)::text, count(*)::text, (
  select case when not bool_and(t1."amount" <= '100'::numeric) then ('engine: check of a permission has failed (' || count(*) || ' rows)')::int4 end
  from t2 t1
)
from t2;

-- $1: "stolen"
-- $2: "1"
-- $3: "2"
-- $4: "1"
with t2 as (update "public"."orders" as t1 set "note" = $1::text where ((t1."tenant_id" = $2::int4) is true) and ((t1."tenant_id" = $3::int4) and (t1."id" = $4::int4)) returning t1.*)
select count(*)::text, coalesce(json_agg(json_build_array(t2."tenant_id", t2."id"))::text, '[]'), coalesce(array_agg(t2."tenant_id"::text)::text, '{}'), (
  select case when not bool_and(t1."amount" <= '100'::numeric) then ('engine: check of a permission has failed (' || count(*) || ' rows)')::int4 end
  from t2 t1
)
from t2;

-- $1: "1"
-- $2: "[]"
-- $3: "{}"
select (
  select json_build_object('id', t3."id", 'items', (
    select coalesce(json_agg(r.*), '[]')
    from (
      select t4."n" as "n"
      from "public"."items" t4
      where (t4."tenant_id" = t3."tenant_id" and t4."order_id" = t3."id")
      and (t4."tenant_id" = $1::int4)
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
  limit 1
)::text;

-- $1: "500"
-- $2: "1"
-- $3: "1"
-- $4: "2"
with t2 as (update "public"."orders" as t1 set "amount" = $1::numeric where ((t1."tenant_id" = $2::int4) is true) and ((t1."tenant_id" = $3::int4) and (t1."id" = $4::int4)) returning t1.*)
select (
  select json_build_object('id', t3."id")
  from t2 t3
  limit 1
)::text, (
  select case when not bool_and(t1."amount" <= '100'::numeric) then ('engine: check of a permission has failed (' || count(*) || ' rows)')::int4 end
  from t2 t1
)
from t2;

-- $1: "1"
-- $2: "1"
-- $3: "2"
with t2 as (delete from "public"."items" as t1 where (t1."tenant_id" = $1::int4) and (t1."order_id" = $2::int4) and (t1."n" = $3::int4) returning t1.*)
select (
  select json_build_object('n', t3."n", 'quantity', t3."quantity")
  from t2 t3
  limit 1
)::text
from t2;

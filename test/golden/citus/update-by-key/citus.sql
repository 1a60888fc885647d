-- $1: "new"
-- $2: "1"
-- $3: "2"
with t2 as (update "public"."orders" as t1 set "note" = $1::text where (t1."tenant_id" = $2::int4) and (t1."id" = $3::int4) returning t1.*)
select (
  select json_build_object('id', t3."id", 'note', t3."note", 'amount', t3."amount")
  from t2 t3
  limit 1
)::text
from t2;

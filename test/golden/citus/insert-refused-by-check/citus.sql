-- $1: "1"
-- $2: "{\"11\",\"12\"}"
-- $3: "{\"1\",\"101\"}"
with t2 as (insert into "public"."orders" as t1 ("id", "amount", "tenant_id") select r.c1::int4, r.c2::numeric, $1::int4 from unnest($2::text[], $3::text[]) as r(c1, c2) returning t1.*)
select count(*)::text, (
  select case when not bool_and(t1."amount" <= '100'::numeric and t1."tenant_id" = $1::int4) then ('engine: check of a permission has failed (' || count(*) || ' rows)')::int4 end
  from t2 t1
)
from t2;

-- $1: "{\"1\",\"1\"}"
-- $2: "{\"11\",\"12\"}"
-- $3: "{\"1\",\"2\"}"
with t2 as (insert into "public"."orders" as t1 ("tenant_id", "id", "amount") select r.c1::int4, r.c2::int4, r.c3::numeric from unnest($1::text[], $2::text[], $3::text[]) as r(c1, c2, c3) returning t1.*)
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t3."id" as "id", t3."amount" as "amount"
    from t2 t3
  ) r
)::text, count(*)::text
from t2;

-- $1: "xx"
with t2 as (delete from "public"."countries" as t1 where t1."code" = $1::text returning t1.*)
select (
  select json_build_object('name', t3."name")
  from t2 t3
  limit 1
)::text
from t2;

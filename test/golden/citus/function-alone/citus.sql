-- $1: "20"
-- $2: "20"
select f1.v::text, f2.v::text
from (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."tenant_id" as "tenant_id", t1."id" as "id"
    from "public"."find_orders"($1::numeric) t1
  ) r
) f1(v), (
  select json_build_object('aggregate', json_build_object('count', count(*), 'sum', json_build_object('amount', sum(t3.c1))))
  from (
    select t2."amount" as c1
    from "public"."find_orders"($2::numeric) t2
  ) t3
) f2(v);

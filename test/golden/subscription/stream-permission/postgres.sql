-- $1: "{\"1\"}"
-- $2: "{\"10\"}"
select v.n, q.*
from unnest($1::int4[], $2::int8[]) with ordinality as v(p1, p2, n) cross join lateral (
  select coalesce(json_agg(b.r), '[]')::text as c1, (array_agg(b.p))[count(*)] as c2
  from (
    select json_build_object('id', t1."id") as r, t1."id"::text as p
    from "public"."book" t1
    where (t1."id" > v.p1::int4)
    and (t1."price" < '12'::numeric)
    order by t1."id" asc
    fetch first (least(v.p2::int8, 2)) rows with ties
  ) b
  having count(*) > 0
) q;

-- $1: "{\"8\"}"
-- $2: "{\"9\"}"
-- $3: "{\"2\"}"
select v.n, q.*
from unnest($1::numeric[], $2::int4[], $3::int8[]) with ordinality as v(p1, p2, p3, n) cross join lateral (
  select coalesce(json_agg(b.r), '[]')::text as c1, (array_agg(b.p))[count(*)] as c2
  from (
    select json_build_object('price', t1."price", 'author', case when t2."id" is not null then json_build_object('name', t2."name") end) as r, t1."price"::text as p
    from "public"."book" t1
    left join "public"."author" t2 on t2."id" = t1."author_id"
    where (t1."price" > v.p1::numeric)
    and (t1."id" < v.p2::int4)
    order by t1."price" asc
    fetch first (v.p3::int8) rows with ties
  ) b
) q;

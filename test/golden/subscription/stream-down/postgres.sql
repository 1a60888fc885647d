-- $1: "{\"M\"}"
-- $2: "{\"1\"}"
select v.n, q.*
from unnest($1::text[], $2::int8[]) with ordinality as v(p1, p2, n) cross join lateral (
  select coalesce(json_agg(b.r), '[]')::text as c1, (array_agg(b.p))[count(*)] as c2
  from (
    select json_build_object('name', t1."name", 'books', (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t2."id" as "id"
        from "public"."book" t2
        where t2."author_id" = t1."id"
        order by t2."id" asc
      ) r
    )) as r, t1."name"::text as p
    from "public"."author" t1
    where t1."name" < v.p1::text
    order by t1."name" desc
    fetch first (v.p2::int8) rows with ties
  ) b
  having count(*) > 0
) q;

-- $1: "{\"8\"}"
-- $2: "{NULL}"
-- $3: "{\"9\"}"
-- $4: "{\"2\"}"
select v.n, q.*
from unnest($1::numeric[], $2::int4[], $3::int4[], $4::int8[]) with ordinality as v(p1, p2, p3, p4, n) cross join lateral (
  select coalesce(json_agg(b.r order by b.n), '[]')::text as c1, (array_agg(b.p1 order by b.n))[count(*)] as c2, (array_agg(b.p2 order by b.n))[count(*)] as c3
  from (
    select i.r, row_number() over (order by i.v, i.k1) as n, i.v::text as p1, i.k1::text as p2
    from (
      select json_build_object('price', t1."price", 'author', case when t2."id" is not null then json_build_object('name', t2."name") end) as r, t1."price" as v, t1."id" as k1
      from "public"."book" t1
      left join "public"."author" t2 on t2."id" = t1."author_id"
      where ((t1."price" >= v.p1::numeric) and (t1."price" > v.p1::numeric or (t1."id" > v.p2::int4)))
      and (t1."id" < v.p3::int4)
      order by t1."price" asc
      fetch first (v.p4::int8) rows with ties
    ) i
  ) b
  having count(*) > 0
) q;

-- $1: "{\"Ada\"}"
-- $2: "{\"Engines\"}"
select v.n, q.*
from unnest($1::text[], $2::text[]) with ordinality as v(p1, p2, n) cross join lateral (
  select (
    select coalesce(json_agg(r.*), '[]')
    from (
      select t1."id" as "id", t1."title" as "title"
      from "public"."book" t1
      where (exists (
        select 1
        from "public"."author" author_1
        where author_1."id" = t1."author_id"
        and author_1."name" = v.p1::text
      ))
      and (t1."title" = v.p2::text)
    ) r
  )::text as c1
) q;

-- $1: "{\"Ada\"}"
select v.n, q.*
from unnest($1::text[]) with ordinality as v(p1, n) cross join lateral (
  select (
    select coalesce(json_agg(r.*), '[]')
    from (
      select t1."book_id" as "book_id", t1."reader" as "reader"
      from "public"."review" t1
      where exists (
        select 1
        from "public"."book" r1
        where r1."id" = t1."book_id"
        and (exists (
          select 1
          from "public"."author" r2
          where r2."id" = r1."author_id"
          and (r2."name" = v.p1::text)
        ))
      )
      or t1."reader" = v.p1::text
      order by t1."book_id" asc, t1."reader" asc
    ) r
  )::text as c1
) q;

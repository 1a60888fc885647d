-- $1: "sisters"
select f1.v::text
from (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."title" as "title", (
      select json_build_object('name', t2."name")
      from "public"."author" t2
      where t2."id" = t1."author_id"
      limit 1
    ) as "author"
    from "public"."books_about"($1::text) t1
    order by t1."id" asc
  ) r
) f1(v);

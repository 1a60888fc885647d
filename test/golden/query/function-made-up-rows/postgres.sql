-- $1: "Ada"
select f1.v::text
from (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."title" as "title", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t2."reader" as "reader"
        from "public"."review" t2
        where (t2."book_id" = t1."id")
        and (exists (
          select 1
          from "public"."book" book_1
          where book_1."id" = t2."book_id"
          and exists (
            select 1
            from "public"."author" author_1
            where author_1."id" = book_1."author_id"
            and author_1."name" = $1::text
          )
        ))
      ) r
    ) as "reviews"
    from "public"."books_retold"() t1
    where exists (
      select 1
      from "public"."author" author_1
      where author_1."id" = t1."author_id"
      and author_1."name" = $1::text
    )
    order by t1."id" asc
  ) r
) f1(v);

-- $1: "Ada"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."book_id" as "book_id", t1."reader" as "reader", case when t2."id" is not null then json_build_object('title', t2."title") end as "book"
    from "public"."review" t1
    left join "public"."book" t2 on (t2."id" = t1."book_id")
    and (exists (
      select 1
      from "public"."author" r1
      where r1."id" = t2."author_id"
      and (r1."name" = $1::text)
    ))
    where exists (
      select 1
      from "public"."book" r1
      where r1."id" = t1."book_id"
      and (exists (
        select 1
        from "public"."author" r2
        where r2."id" = r1."author_id"
        and (r2."name" = $1::text)
      ))
    )
    or t1."reader" = $1::text
    order by t1."book_id" asc, t1."reader" asc
  ) r
)::text;

-- $1: "5"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name"
    from "public"."author" t1
    where exists (
      select 1
      from "public"."book" t2
      where (t2."author_id" = t1."id")
      and (exists (
        select 1
        from "public"."review" t3
        where (t3."book_id" = t2."id")
        and (t3."stars" >= $1::int4)
      ))
    )
    order by t1."id" asc
  ) r
)::text;

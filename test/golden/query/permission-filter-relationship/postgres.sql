-- $1: "mia"
-- $2: "2"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name"
    from "public"."author" t1
    where exists (
      select 1
      from "public"."book" t2
      where (t2."author_id" = t1."id")
      and (t2."price" < '12'::numeric)
      and (exists (
        select 1
        from "public"."review" t3
        where (t3."book_id" = t2."id")
        and (t3."hidden" = 'false'::bool or t3."reader" = $1::text or exists (
          select 1
          from "public"."friend" friend_1
          where friend_1."reader" = $1::text
          and friend_1."friend" = t3."reader"
        ))
        and (t3."stars" > $2::int4)
      ))
    )
    order by t1."id" asc
  ) r
)::text;

-- $1: "mia"
-- $2: "5"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t2."title" as "title", (
          select coalesce(json_agg(r.*), '[]')
          from (
            select t3."reader" as "reader"
            from "public"."review" t3
            where (t3."book_id" = t2."id")
            and (t3."hidden" = 'false'::bool or t3."reader" = $1::text or exists (
              select 1
              from "public"."friend" friend_1
              where friend_1."reader" = $1::text
              and friend_1."friend" = t3."reader"
            ))
            order by t3."reader" asc
          ) r
        ) as "reviews"
        from "public"."book" t2
        where (t2."author_id" = t1."id")
        and (t2."price" < '12'::numeric)
        order by t2."id" asc
        limit least($2::int8, 2)
      ) r
    ) as "books"
    from "public"."author" t1
    order by t1."id" asc
  ) r
)::text;

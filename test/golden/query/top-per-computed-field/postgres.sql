-- $1: "10"
-- $2: "2"
-- $3: "1"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."title" as "title", "public"."book_headline"(t1.*) as "headline", case when t2."id" is not null then json_build_object('cheap_books', (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t3."title" as "title"
        from (
          select g.*
          from (
            select t3.*, row_number() over (partition by t3."price" order by t3."id" asc) as "place in group"
            from "public"."author_cheap_books"(t2.*, $1::numeric) t3
          ) g
          where g."place in group" <= $2::int8
        ) t3
        order by t3."id" asc
      ) r
    )) end as "author"
    from (
      select (g.r).*
      from (
        select coalesce(t1.*) as r, row_number() over (partition by t1."author_id" order by t1."id" desc) as "place in group"
        from "public"."book" t1
      ) g
      where g."place in group" <= $3::int8
    ) t1
    left join "public"."author" t2 on t2."id" = t1."author_id"
    order by t1."id" desc
  ) r
)::text;

-- $1: "Engines"
-- $2: "1"
-- $3: "2"
-- $4: "0"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t2."title" as "title", case when t3."id" is not null then json_build_object('name', t3."name") end as "author"
        from (
          select g.*
          from (
            select t2.*, row_number() over (partition by t2."price" order by t3."name" asc, t2."id" desc) as "place in group"
            from "public"."book" t2
            left join "public"."author" t3 on t3."id" = t2."author_id"
            where (t2."author_id" = t1."id")
            and (t2."price" < '12'::numeric)
            and (t2."title" <> $1::text)
          ) g
          where g."place in group" <= $2::int8
        ) t2
        left join "public"."author" t3 on t3."id" = t2."author_id"
        order by t3."name" asc, t2."id" desc
        limit least($3::int8, 2)
        offset $4::int8
      ) r
    ) as "books"
    from "public"."author" t1
    order by t1."id" asc
  ) r
)::text;

-- $1: "8"
-- $2: "1"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t2."title" as "title"
        from "public"."book" t2
        where (t2."author_id" = t1."id")
        and (t2."price" > $1::numeric)
        order by t2."title" desc
        limit $2::int8
      ) r
    ) as "books"
    from "public"."author" t1
    order by t1."id" asc
  ) r
)::text;

-- $1: "9.95"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t2."title" as "title"
        from "public"."author_cheap_books"(t1.*, $1::numeric) t2
        order by t2."id" asc
      ) r
    ) as "cheap_books"
    from "public"."author" t1
    order by t1."id" asc
  ) r
)::text;

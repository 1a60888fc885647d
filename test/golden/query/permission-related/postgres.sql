select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name"
    from "public"."author" t1
    where exists (
      select 1
      from "public"."book" book_1
      where book_1."author_id" = t1."id"
    )
    order by t1."name" asc
  ) r
)::text;

select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name", 'author' as "__typename"
    from "public"."author" t1
    order by t1."id" asc
  ) r
)::text;

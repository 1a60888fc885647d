-- $1: "A%"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."title" as "title"
    from "public"."book" t1
    where exists (
      select 1
      from "public"."author" t2
      where (t2."id" = t1."author_id")
      and ((t2."born" is not null) and (t2."name" like $1::text))
    )
    order by t1."id" asc
  ) r
)::text;

-- $1: "true"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."title" as "title"
    from "public"."book" t1
    where exists (
      select 1
      from "public"."review" t2
      where t2."book_id" = t1."id"
      having bool_or(t2."hidden") = $1::bool
    )
    order by t1."id" asc
  ) r
)::text;

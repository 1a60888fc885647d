-- $1: "10"
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
      and (t2."price" < $1::numeric)
      having count(*) >= $2::int4
    )
  ) r
)::text;

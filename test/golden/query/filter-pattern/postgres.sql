-- $1: "%SISTERS"
-- $2: "More%"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."title" as "title"
    from "public"."book" t1
    where (t1."title" ilike $1::text)
    and (t1."title" not ilike $2::text)
  ) r
)::text;

-- $1: "{pages}"
-- $2: "{tags,0}"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."details" #> $1::text[] as "pages", t1."details" #> $2::text[] as "tag"
    from "public"."book" t1
    order by t1."id" asc
  ) r
)::text;

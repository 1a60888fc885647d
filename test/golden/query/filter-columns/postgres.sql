-- $1: "{Sisters,Numbers}"
-- $2: "8"
-- $3: "12.5"
-- $4: "pages"
-- $5: "{novel}"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id"
    from "public"."book" t1
    where (t1."title" = any($1::text[]))
    and ((t1."price" >= $2::numeric) and (t1."price" < $3::numeric))
    and (t1."details" ? $4::text)
    and (t1."genres" @> $5::text[])
  ) r
)::text;

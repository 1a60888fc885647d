-- $1: " –"
-- $2: "2"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select "public"."book_year"(t1.*) as "year", "public"."book_headline"(t1.*, $1::text) as "headline"
    from "public"."book" t1
    order by t1."id" asc
    limit $2::int8
  ) r
)::text;

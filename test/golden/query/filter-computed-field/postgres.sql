-- $1: "1850"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."title" as "title"
    from "public"."book" t1
    where "public"."book_year"(t1.*) < $1::int4
    order by "public"."book_year"(t1.*) asc
  ) r
)::text;

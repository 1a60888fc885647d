-- $1: "1"
-- $2: "mia"
select (
  select json_build_object('stars', t1."stars", 'book', case when t2."id" is not null then json_build_object('title', t2."title") end)
  from "public"."review" t1
  left join "public"."book" t2 on t2."id" = t1."book_id"
  where (t1."book_id" = $1::int4)
  and (t1."reader" = $2::text)
)::text;

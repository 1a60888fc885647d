-- $1: "1"
select (
  select json_build_object('title', t1."title")
  from "public"."book" t1
  where (t1."id" = $1::int4)
  and (t1."price" < '12'::numeric)
)::text;

-- $1: "9"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id"
    from "public"."book" t1
    where ((t1."published" is null) or (not (t1."price" > $1::numeric)))
    order by t1."id" asc
  ) r
)::text;

select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."title" as "title"
    from "public"."book" t1
    where t1."price" < '12'::numeric
    order by t1."id" asc
    limit 2
  ) r
)::text;

select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id", t1."title" as "title"
    from "public"."book" t1
  ) r
)::text;

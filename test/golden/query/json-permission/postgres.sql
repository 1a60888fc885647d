select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id", t1."facts" as "facts"
    from "public"."edition" t1
    where t1."facts" @> '{"tags":["first"]}'::jsonb
  ) r
)::text;

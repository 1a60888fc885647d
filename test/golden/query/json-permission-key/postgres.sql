-- $1: "size"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id"
    from "public"."edition" t1
    where t1."facts" ? $1::text
  ) r
)::text;

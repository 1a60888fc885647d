-- $1: "{\"tags\":[],\"pages\":546.0}"
-- $2: "{\"[\\\"loose\\\",{\\\"pages\\\":1},7]\",\"{\\\"tags\\\":[],\\\"pages\\\":546}\"}"
-- $3: "[\"loose\",7,{\"pages\":1}]"
-- $4: "{\"{\\\"pages\\\":546}\"}"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id"
    from "public"."edition" t1
    where t1."facts" = $1::jsonb
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t2."id" as "id"
    from "public"."edition" t2
    where t2."facts" = any($2::jsonb[])
    order by t2."id" asc
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t3."id" as "id"
    from "public"."edition" t3
    where t3."facts" <> $3::jsonb
    order by t3."id" asc
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t4."id" as "id"
    from "public"."edition" t4
    where t4."facts" <> all($4::jsonb[])
    order by t4."id" asc
  ) r
)::text;

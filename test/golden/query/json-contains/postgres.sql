-- $1: "{\"tags\":[\"first\"]}"
-- $2: "{\"size\":{\"h\":20.5}}"
-- $3: "\"loose\""
-- $4: "{\"tags\":[\"first\"],\"pages\":546,\"more\":null}"
-- $5: "[{\"pages\":2}]"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id", t1."facts" as "facts"
    from "public"."edition" t1
    where t1."facts" @> $1::jsonb
    order by t1."id" asc
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t2."id" as "id"
    from "public"."edition" t2
    where t2."facts" @> $2::jsonb
    order by t2."id" asc
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t3."id" as "id"
    from "public"."edition" t3
    where t3."facts" @> $3::jsonb
    order by t3."id" asc
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t4."id" as "id"
    from "public"."edition" t4
    where t4."facts" <@ $4::jsonb
    order by t4."id" asc
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t5."id" as "id"
    from "public"."edition" t5
    where not (t5."facts" @> $5::jsonb)
    order by t5."id" asc
  ) r
)::text;

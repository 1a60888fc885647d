-- $1: "tags"
-- $2: "loose"
-- $3: "{pages,size}"
-- $4: "{loose,size}"
-- $5: "%rare%"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id"
    from "public"."edition" t1
    where t1."facts" ? $1::text
    order by t1."id" asc
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t2."id" as "id"
    from "public"."edition" t2
    where t2."facts" ? $2::text
    order by t2."id" asc
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t3."id" as "id"
    from "public"."edition" t3
    where t3."facts" ?& $3::text[]
    order by t3."id" asc
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t4."id" as "id"
    from "public"."edition" t4
    where t4."facts" ?| $4::text[]
    order by t4."id" asc
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t5."id" as "id"
    from "public"."edition" t5
    where t5."facts"::text like $5::text
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t6."id" as "id"
    from "public"."edition" t6
    where t6."facts" is null
  ) r
)::text;

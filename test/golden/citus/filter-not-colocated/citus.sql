-- $1: "Bob"
-- $2: "20"
-- $3: "Germany"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."code" as "code"
    from "public"."countries" t1
    where not ((t1."code" in (
      select t2."country_code"
      from "public"."customers" t2
      where (t2."country_code" is not null)
      and (t2."name" = $1::text)
      offset 0
    )) is true)
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t3."id" as "id"
    from "public"."notes" t3
    where (t3."product_id" in (
      select t4."product_id"
      from "public"."orders" t4
      where (t4."product_id" is not null)
      and (t4."amount" > $2::numeric)
      offset 0
    )) is true
    order by t3."id" asc
    offset 0
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t5."name" as "name"
    from "public"."customers" t5
    where exists (
      select 1
      from "public"."countries" t6
      where (t6."code" = t5."country_code")
      and (t6."name" = $3::text)
    )
    order by t5."tenant_id" asc, t5."id" asc
    offset 0
  ) r
)::text;

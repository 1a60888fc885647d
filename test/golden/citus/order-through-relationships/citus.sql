-- $1: "0"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."tenant_id" as "tenant_id", t1."id" as "id"
    from "public"."orders" t1
    left join "public"."customers" t2 on t2."tenant_id" = t1."tenant_id"
    and t2."id" = t1."customer_id"
    where exists (
      select 1
      from "public"."items" t4
      where t4."tenant_id" = t1."tenant_id"
      and t4."order_id" = t1."id"
      having count(*) >= $1::int4
    )
    order by t2."name" desc, (
      select count(*)
      from "public"."items" t3
      where t3."tenant_id" = t1."tenant_id"
      and t3."order_id" = t1."id"
    ) desc, t1."id" asc
    offset 0
  ) r
)::text;

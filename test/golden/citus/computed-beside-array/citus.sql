select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select "public"."order_label"(row(t1."tenant_id", t1."id", t1."customer_id", t1."product_id", t1."amount", t1."note")::public.orders) as "label", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t2."n" as "n"
        from "public"."items" t2
        where t2."tenant_id" = t1."tenant_id"
        and t2."order_id" = t1."id"
        order by t2."n" asc
        offset 0
      ) r
    ) as "items"
    from "public"."orders" t1
    order by t1."id" asc, t1."tenant_id" asc
    offset 0
  ) r
)::text;

-- $1: "20"
-- $2: "0"
select f1.v::text
from (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."tenant_id" as "tenant_id", t1."id" as "id", "public"."order_label"(row(t1."tenant_id", t1."id", t1."customer_id", t1."product_id", t1."amount", t1."note")::public.orders) as "label", case when t3."tenant_id" is not null then json_build_object('name', t3."name") end as "customer", coalesce(t7.v, '[]') as "items", coalesce(t10.v, json_build_object('aggregate', json_build_object('count', 0))) as "items_aggregate"
    from "public"."find_orders"($1::numeric) t1
    left join (
      select t4.*
      from "public"."customers" t4
      where (t4."tenant_id", t4."id") in (
        select t1."tenant_id", t1."customer_id"
        from "public"."find_orders"($1::numeric) t1
        where ((t1."tenant_id", t1."id") in (
          select t2."tenant_id", t2."order_id"
          from "public"."items" t2
          where (t2."tenant_id" is not null)
          and (t2."order_id" is not null)
          and (t2."quantity" > $2::int4)
          offset 0
        )) is true
      )
      offset 0
    ) t3 on t3."tenant_id" = t1."tenant_id"
    and t3."id" = t1."customer_id"
    left join (
      select x."tenant_id", x."order_id", json_agg(x.v) as v
      from (
        select t5."tenant_id", t5."order_id", json_build_object('n', t5."n", 'product', case when t6."id" is not null then json_build_object('name', t6."name") end) as v
        from "public"."items" t5
        left join "public"."products" t6 on t6."id" = t5."product_id"
        where (t5."tenant_id", t5."order_id") in (
          select t1."tenant_id", t1."id"
          from "public"."find_orders"($1::numeric) t1
          where ((t1."tenant_id", t1."id") in (
            select t2."tenant_id", t2."order_id"
            from "public"."items" t2
            where (t2."tenant_id" is not null)
            and (t2."order_id" is not null)
            and (t2."quantity" > $2::int4)
            offset 0
          )) is true
        )
      ) x group by x."tenant_id", x."order_id"
      offset 0
    ) t7 on t7."tenant_id" = t1."tenant_id"
    and t7."order_id" = t1."id"
    left join (
      select t9."tenant_id", t9."order_id", json_build_object('aggregate', json_build_object('count', count(*))) as v
      from (
        select t8."tenant_id", t8."order_id"
        from "public"."items" t8
        where (t8."tenant_id", t8."order_id") in (
          select t1."tenant_id", t1."id"
          from "public"."find_orders"($1::numeric) t1
          where ((t1."tenant_id", t1."id") in (
            select t2."tenant_id", t2."order_id"
            from "public"."items" t2
            where (t2."tenant_id" is not null)
            and (t2."order_id" is not null)
            and (t2."quantity" > $2::int4)
            offset 0
          )) is true
        )
      ) t9 group by t9."tenant_id", t9."order_id"
      offset 0
    ) t10 on t10."tenant_id" = t1."tenant_id"
    and t10."order_id" = t1."id"
    where ((t1."tenant_id", t1."id") in (
      select t2."tenant_id", t2."order_id"
      from "public"."items" t2
      where (t2."tenant_id" is not null)
      and (t2."order_id" is not null)
      and (t2."quantity" > $2::int4)
      offset 0
    )) is true
    order by t1."tenant_id" asc, t1."id" asc
    offset 0
  ) r
) f1(v);

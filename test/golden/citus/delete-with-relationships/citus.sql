-- $1: "1"
-- $2: "1"
with t2 as (delete from "public"."items" as t1 where (t1."quantity" > $1::int4) and (t1."tenant_id" = $2::int4) returning t1.*)
select count(*)::text, coalesce(json_agg(row_to_json(t2.*))::text, '[]')
from t2;

-- $1: "[{\"tenant_id\":1,\"order_id\":1,\"n\":1,\"product_id\":1,\"quantity\":2}, {\"tenant_id\":1,\"order_id\":2,\"n\":1,\"product_id\":3,\"quantity\":5}]"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t3."n" as "n", case when t4."tenant_id" is not null then json_build_object('id', t4."id", 'customer', case when t6."tenant_id" is not null then json_build_object('name', t6."name") end, 'items', coalesce(t9.v, '[]')) end as "order", case when t10."id" is not null then json_build_object('name', t10."name") end as "product"
    from (
      select r.*, row_number() over () as "place of the row"
      from jsonb_to_recordset($1::jsonb) as r("tenant_id" int4, "order_id" int4, "n" int4, "product_id" int4, "quantity" int4)
    ) t3
    left join (
      select t5.*
      from "public"."orders" t5
      where (t5."tenant_id", t5."id") in (
        select t3."tenant_id", t3."order_id"
        from (
          select r.*, row_number() over () as "place of the row"
          from jsonb_to_recordset($1::jsonb) as r("tenant_id" int4, "order_id" int4, "n" int4, "product_id" int4, "quantity" int4)
        ) t3
      )
      offset 0
    ) t4 on t4."tenant_id" = t3."tenant_id"
    and t4."id" = t3."order_id"
    left join (
      select t7.*
      from "public"."customers" t7
      where (t7."tenant_id", t7."id") in (
        select t4."tenant_id", t4."customer_id"
        from (
          select r.*, row_number() over () as "place of the row"
          from jsonb_to_recordset($1::jsonb) as r("tenant_id" int4, "order_id" int4, "n" int4, "product_id" int4, "quantity" int4)
        ) t3
        left join (
          select t5.*
          from "public"."orders" t5
          where (t5."tenant_id", t5."id") in (
            select t3."tenant_id", t3."order_id"
            from (
              select r.*, row_number() over () as "place of the row"
              from jsonb_to_recordset($1::jsonb) as r("tenant_id" int4, "order_id" int4, "n" int4, "product_id" int4, "quantity" int4)
            ) t3
          )
          offset 0
        ) t4 on t4."tenant_id" = t3."tenant_id"
        and t4."id" = t3."order_id"
      )
      offset 0
    ) t6 on t6."tenant_id" = t4."tenant_id"
    and t6."id" = t4."customer_id"
    left join (
      select x."tenant_id", x."order_id", json_agg(x.v) as v
      from (
        select t8."tenant_id", t8."order_id", json_build_object('n', t8."n") as v
        from "public"."items" t8
        where (t8."tenant_id", t8."order_id") in (
          select t4."tenant_id", t4."id"
          from (
            select r.*, row_number() over () as "place of the row"
            from jsonb_to_recordset($1::jsonb) as r("tenant_id" int4, "order_id" int4, "n" int4, "product_id" int4, "quantity" int4)
          ) t3
          left join (
            select t5.*
            from "public"."orders" t5
            where (t5."tenant_id", t5."id") in (
              select t3."tenant_id", t3."order_id"
              from (
                select r.*, row_number() over () as "place of the row"
                from jsonb_to_recordset($1::jsonb) as r("tenant_id" int4, "order_id" int4, "n" int4, "product_id" int4, "quantity" int4)
              ) t3
            )
            offset 0
          ) t4 on t4."tenant_id" = t3."tenant_id"
          and t4."id" = t3."order_id"
        )
      ) x group by x."tenant_id", x."order_id"
      offset 0
    ) t9 on t9."tenant_id" = t4."tenant_id"
    and t9."order_id" = t4."id"
    left join "public"."products" t10 on t10."id" = t3."product_id"
    order by t3."place of the row"
    offset 0
  ) r
)::text;

-- $1: "1"
-- $2: "2"
-- $3: "1"
-- $4: "1"
with t2 as (delete from "public"."items" as t1 where ((t1."tenant_id" = $1::int4) is true) and ((t1."tenant_id" = $2::int4) and (t1."order_id" = $3::int4) and (t1."n" = $4::int4)) returning t1.*)
select count(*)::text, coalesce(json_agg(row_to_json(t2.*))::text, '[]')
from t2;

-- $1: "[]"
-- $2: "1"
select (
  select json_build_object('n', t3."n", 'order', case when t4."tenant_id" is not null then json_build_object('id', t4."id") end)
  from (
    select r.*, row_number() over () as "place of the row"
    from jsonb_to_recordset($1::jsonb) as r("tenant_id" int4, "order_id" int4, "n" int4, "product_id" int4, "quantity" int4)
  ) t3
  left join (
    select t5.*
    from "public"."orders" t5
    where (t5."tenant_id" = $2::int4)
    and ((t5."tenant_id", t5."id") in (
      select t3."tenant_id", t3."order_id"
      from (
        select r.*, row_number() over () as "place of the row"
        from jsonb_to_recordset($1::jsonb) as r("tenant_id" int4, "order_id" int4, "n" int4, "product_id" int4, "quantity" int4)
      ) t3
    ))
    offset 0
  ) t4 on t4."tenant_id" = t3."tenant_id"
  and t4."id" = t3."order_id"
  limit 1
)::text;
